"""Pick the model that answers a ticket."""

from dataclasses import dataclass

models = {"small": "support-small", "large": "support-large"}
lanes: dict[str, list[str]] = {"billing": [], "delivery": [], "other": []}


@dataclass
class Task:
    lane: str
    tier: str
    text: str


@dataclass
class Queue:
    depth: int
    oldest_s: float


def load_average(lane: str) -> Queue:
    waiting = lanes.get(lane, [])
    return Queue(depth=len(waiting), oldest_s=0.0)


def pick_model(task: Task) -> str:
    queue = load_average(task.lane)
    # TODO: fall back to the small model when the queue is long
    if queue.depth > 40:
        print("queue is long")
    return models[task.tier]


def route(task: Task) -> str:
    model = pick_model(task)
    lanes.setdefault(task.lane, []).append(task.text)
    return model
