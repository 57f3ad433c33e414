"""A server that can be asked to misbehave in every way a server can; it knows no SDK, so that it may break any rule.

Started as `python misbehaving.py [fault]`; the fault is what it does wrong from its start on, `good` is nothing. What
it does wrong in a call is a tool of its own.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

FAULT = sys.argv[1] if len(sys.argv) > 1 else "good"
FOR_EVER_S = 600.0

Raw = dict[str, Any]


class Call(NamedTuple):
    number: Any
    arguments: Raw
    meta: Raw


class SignInError(Exception):
    """A person must do something at an address first."""


_write_lock = threading.Lock()
_answered: dict[str, threading.Event] = {}
_answers: dict[str, Raw] = {}
_cancelled: set[Any] = set()
_versions = [1]


def out(text: str) -> None:
    with _write_lock:
        sys.stdout.write(text)
        sys.stdout.flush()


def out_bytes(data: bytes) -> None:
    with _write_lock:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


def say(text: str) -> None:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def write(message: Raw) -> None:
    out(json.dumps({"jsonrpc": "2.0", **message}) + "\n")


def note(method: str, **params: Any) -> None:
    write({"method": method, "params": params})


def words(*texts: str) -> Raw:
    return {"content": [{"type": "text", "text": text} for text in texts]}


def is_cancelled(call: Call) -> bool:
    return call.number in _cancelled


def ask(name: str) -> threading.Event:
    event = _answered[name] = threading.Event()
    schema = {"type": "object", "properties": {"name": {"type": "string"}}}
    params = {"message": f"Question {name}", "requestedSchema": schema}
    write({"id": name, "method": "elicitation/create", "params": params})
    return event


def echo(call: Call) -> Raw:
    return words(call.arguments["text"])


def fail(_: Call) -> Raw:
    return {"isError": True, **words("it did not work")}


def refuse(_: Call) -> Raw:
    raise ValueError("not today")


def hang(_: Call) -> None:
    """Never answer."""


def die(_: Call) -> Raw:
    say("I am leaving")
    os._exit(3)


def crash(_: Call) -> Raw:
    os.kill(os.getpid(), signal.SIGKILL)
    return {}


def hang_up(_: Call) -> Raw:
    os.close(1)
    time.sleep(FOR_EVER_S)
    return {}


def flood_stderr(_: Call) -> Raw:
    for at in range(6_000):
        sys.stderr.write(f"{at} {'e' * 199}\n")
    return words("flooded")


def flood_stdout(_: Call) -> Raw:
    for at in range(500):
        out(f"this is no message {at}\n")
    return words("flooded")


def flood_log(_: Call) -> Raw:
    for at in range(1_000):
        note("notifications/message", level="info", data=f"line {at}")
    return words("flooded")


def talk(call: Call) -> None:
    """Talk on every channel as fast as it goes, until the call is cancelled."""
    threading.Thread(target=mutter, args=(call,), daemon=True).start()
    while not is_cancelled(call):
        out('{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"talk"}}\n' * 100)


def mutter(call: Call) -> None:
    while not is_cancelled(call):
        sys.stderr.write("mutter\n" * 100)


def sign_in_first(_: Call) -> Raw:
    raise SignInError


def nonsense(_: Call) -> Raw:
    return {"content": "a text where a list belongs"}


def unknown_content(_: Call) -> Raw:
    return {"content": [{"type": "hologram", "data": "…"}]}


def no_base64(_: Call) -> Raw:
    return {"content": [{"type": "image", "data": "this is no base64", "mimeType": "image/png"}]}


def empty(_: Call) -> Raw:
    return {"content": []}


def late(call: Call) -> Raw:
    while not is_cancelled(call):
        time.sleep(0.01)
    return words("too late")


def twice(call: Call) -> Raw:
    write({"id": call.number, "result": words("once")})
    return words("twice")


def huge(_: Call) -> Raw:
    for _at in range(34):
        out("x" * 1_000_000)
    return words("never read")


def deep(call: Call) -> None:
    nested = "[" * 100_000 + "]" * 100_000
    out(f'{{"jsonrpc":"2.0","id":{call.number},"result":{{"content":{nested}}}}}\n')


def deep_first(call: Call) -> None:
    """Answer with the number behind the result."""
    nested = '{"id":99999,"a":' * 100_000 + "1" + "}" * 100_000
    out(f'{{"result":{{"content":{nested}}},"jsonrpc":"2.0","id":{call.number}}}\n')


def half_letter(_: Call) -> Raw:
    return words("\ud800")


def no_utf8(call: Call) -> None:
    text = f'{{"jsonrpc":"2.0","id":{call.number},"result":{{"content":[{{"type":"text","text":"'.encode()
    out_bytes(text + b'\xff\xfe"}]}}\n')


def many_digits(call: Call) -> None:
    out(f'{{"jsonrpc":"2.0","id":{call.number},"result":{{"content":[],"n":{"9" * 20_000}}}}}\n')


def broken_json(call: Call) -> None:
    out(f'{{"jsonrpc":"2.0","id":{call.number},"result":{{"content":[}}}}\n')


def large(_: Call) -> Raw:
    return words("y" * 3_000_000)


def lie(_: Call) -> Raw:
    return {**words("{}"), "structuredContent": {"n": "three"}}


def keep_quiet(_: Call) -> Raw:
    return words("nothing")


def numbers(_: Call) -> Raw:
    return {**words("see there"), "structuredContent": {"large": 2**70 + 1, "negative": -(2**65)}}


def progress_forever(call: Call) -> None:
    at = 0
    while not is_cancelled(call):
        at += 1
        token = call.meta["progressToken"]
        note("notifications/progress", progressToken=token, progress=at, message=f"step {at}")
        time.sleep(0.02)


def progress_back(call: Call) -> Raw:
    for at in (1, 3, 2, 4):
        note("notifications/progress", progressToken=call.meta["progressToken"], progress=at, total=4)
    # What comes in one piece may be told in any order.
    time.sleep(0.1)
    return words("done")


def ask_once(_: Call) -> Raw:
    ask("q").wait()
    return words(json.dumps(_answers["q"]["result"]))


def ask_often(_: Call) -> Raw:
    names = [f"q{at}" for at in range(30)]
    for event in [ask(name) for name in names]:
        event.wait()
    return words(str(sum("error" in _answers[name] for name in names)))


def change(_: Call) -> Raw:
    _versions.append(_versions[-1] + 1)
    for _at in range(50):
        note("notifications/tools/list_changed")
    return words("changed")


def environment(_: Call) -> Raw:
    return words(json.dumps({"env": dict(os.environ), "cwd": str(Path.cwd())}))


def secret(_: Call) -> Raw:
    say(f"the token is {os.environ.get('TOKEN')}")
    return words(f"the token is {os.environ.get('TOKEN')}")


def cancelled(_: Call) -> Raw:
    return words(json.dumps(len(_cancelled)))


def arguments(call: Call) -> Raw:
    return words(json.dumps(call.arguments))


TOOLS: dict[str, Callable[[Call], Raw | None]] = {
    function.__name__: function
    for function in (
        echo, fail, refuse, hang, die, crash, hang_up, flood_stderr, flood_stdout, flood_log, talk, sign_in_first,
        nonsense, unknown_content, no_base64, empty, late, twice, huge, large, lie, keep_quiet, numbers,
        deep, deep_first, half_letter, no_utf8, many_digits, broken_json,
        progress_forever, progress_back, ask_once, ask_often, change, environment, secret, cancelled, arguments,
    )
}  # fmt: skip


# Four pixels, red above blue; and the beginning of a picture that says it is 20,000 pixels wide.
DOT = "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEUlEQVR42mP4z8AARAxg8j8AG/ID/Y4I1K8AAAAASUVORK5CYII="
WIDE = "iVBORw0KGgoAAAANSUhEUgAATiAAAE4gCAIAAABsEtFuAAAACElEQVR42gMAAAAAAW/dyZEAAAAASUVORK5CYII="
ICONS: dict[str, Any] = {
    "echo": [{"src": "data:image/png;base64,AAAA"}, {"src": f"data:image/png;base64,{DOT}"}],
    "fail": [{"src": "https://127.0.0.1:1/fail.png"}],
    "refuse": [{"src": "file:///etc/passwd"}],
    "hang": [{"src": "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>", "mimeType": "image/svg+xml"}],
    "die": [{"src": f"data:image/png;base64,{WIDE}"}],
    "crash": [{"src": f"data:image/png;base64,{DOT[:60]}"}],
    "late": [{"src": f"data:,{'A' * 300_000}"}],
    "twice": [{"src": f"data:image/gif;base64,{DOT}"}],
}


def definition(name: str, **rest: Any) -> Raw:
    return {"name": name, "description": f"Do {name}.", "inputSchema": {"type": "object"}, **rest}


def definitions() -> list[Raw]:
    text = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
    described = "Say it back." if len(_versions) == 1 else "Say it back, and tell it to me as well."
    number = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    referring = {"properties": {"n": {"$ref": "#/$defs/n"}}, "$defs": {"n": {"type": "integer"}}, "type": "object"}
    fetching = {"type": "object", "properties": {"n": {"$ref": "https://example.org/n.json"}}}
    special: dict[str, Raw] = {
        "echo": {
            "title": "Echo",
            "description": described,
            "inputSchema": text,
            "annotations": {"readOnlyHint": True, "title": "Not this one"},
            "vendor/extra": {"kept": 1},
        },
        "lie": {"outputSchema": number},
        "keep_quiet": {"outputSchema": {"type": "object"}},
        "numbers": {"outputSchema": {"type": "object"}},
        "arguments": {"inputSchema": referring},
    }
    if FAULT == "icons":
        special = {name: {**special.get(name, {}), "icons": icons} for name, icons in ICONS.items()}
    listed = [definition(name, **special.get(name, {})) for name in TOOLS]
    return [*listed, definition("fetches", inputSchema=fetching)]


def page(params: Raw) -> Raw | None:
    cursor = params.get("cursor")
    if FAULT == "endless_pages":
        at = int(cursor or 0)
        return {"tools": [definition(f"tool_{at}")], "nextCursor": str(at + 1)}
    if FAULT == "same_page":
        return {"tools": [definition("again")], "nextCursor": ""}
    if FAULT == "two_pages":
        if cursor == "":
            return {"tools": [definition("second"), definition("twin"), definition("twin")]}
        return {"tools": [definition("first")], "nextCursor": ""}
    if FAULT == "dies_late":
        say("the list is secret")
        os._exit(5)
    if FAULT == "bad_list":
        return {"tools": [{"name": "it has no schema"}]}
    return None if FAULT == "slow_list" else {"tools": definitions()}


def result_of(number: Any, method: str, params: Raw) -> Raw | None:
    if FAULT == "old" and method == "server/discover":
        os._exit(1)
    if method == "initialize":
        return {
            "protocolVersion": "1999-01-01" if FAULT == "wrong_version" else params["protocolVersion"],
            "capabilities": {"tools": {"listChanged": True}},
            "serverInfo": {
                "name": "misbehaving",
                "version": "0.1",
                "title": "Misbehaving",
                **({"icons": ICONS["echo"]} if FAULT == "icons" else {}),
            },
            "instructions": "Trust nothing.",
        }
    if method == "ping":
        return {}
    if method == "tools/list":
        return page(params)
    if method == "tools/call":
        return TOOLS[params["name"]](Call(number, params.get("arguments") or {}, params.get("_meta") or {}))
    raise LookupError(method)


def answer(message: Raw) -> None:
    number = message["id"]
    try:
        result = result_of(number, message["method"], message.get("params") or {})
    except ValueError as error:
        write({"id": number, "error": {"code": -32602, "message": str(error)}})
    except SignInError:
        asked = {"mode": "url", "elicitationId": "1", "url": "https://example.org/in?a=b", "message": "Sign in"}
        refusal = {"code": -32042, "message": "sign in first", "data": {"elicitations": [asked]}}
        write({"id": number, "error": refusal})
    except LookupError:
        write({"id": number, "error": {"code": -32601, "message": "Method not found"}})
    else:
        if result is not None:
            write({"id": number, "result": result})


def start_children() -> None:
    code = f"import time, signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep({FOR_EVER_S})"
    words = [sys.executable, "-S", "-c", code]
    near = subprocess.Popen(words, stdin=subprocess.DEVNULL)
    away = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, start_new_session=True)
    say(f"children {near.pid} {away.pid}")


def begin() -> None:
    if FAULT == "dies":
        say("no configuration was found")
        sys.exit(4)
    if FAULT == "garbage":
        for at in range(2_000):
            out(f"Welcome to the best server of all {at}\n")
    if FAULT == "silent":
        out("thinking about it\n")
    if FAULT in {"garbage", "silent"}:
        time.sleep(FOR_EVER_S)
    if FAULT == "banner":
        out("Welcome!\n\n")
    if FAULT == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if FAULT in {"children", "stubborn"}:
        start_children()


def main() -> None:
    begin()
    for line in sys.stdin:
        message = json.loads(line)
        if "method" not in message:
            _answers[message["id"]] = message
            _answered[message["id"]].set()
        elif "id" in message:
            threading.Thread(target=answer, args=(message,), daemon=True).start()
        elif message["method"] == "notifications/cancelled":
            _cancelled.add(message["params"]["requestId"])
    if FAULT == "stubborn":
        time.sleep(FOR_EVER_S)


if __name__ == "__main__":
    main()
