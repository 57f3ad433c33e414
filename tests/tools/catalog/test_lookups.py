"""Weather, exchange rates and places, on the shapes of answers that the services document, with values of our own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.tools.catalog.calling import executor_for, failure_of, result_of
from tests.tools.catalog.services import FakeServices
from tools.catalog.lookups import Lookups

FORECAST = {
    "latitude": 38.7,
    "longitude": -9.1,
    "timezone": "Europe/Lisbon",
    "current": {
        "time": "2026-03-01T12:00",
        "temperature_2m": 17.5,
        "apparent_temperature": 16,
        "relative_humidity_2m": 60,
        "weather_code": 2,
        "wind_speed_10m": 11.2,
    },
    "daily": {
        "time": ["2026-03-01", "2026-03-02"],
        "weather_code": [61, 7],
        "temperature_2m_max": [18.0, 19.5],
        "temperature_2m_min": [9.0, None],
        "precipitation_sum": [1.5, 0],
        "precipitation_probability_max": [40, 0],
        "wind_speed_10m_max": [20.1, 15],
    },
}


def test_the_weather_at_a_place_is_told(others: FakeServices, tmp_path: Path) -> None:
    others.answers(
        "https://geocoding-api.open-meteo.com/v1/search",
        {"results": [{"name": "Lisbon", "latitude": 38.7167, "longitude": -9.1333, "country": "Portugal"}]},
    )
    others.answers("https://api.open-meteo.com/v1/forecast", FORECAST)

    found = result_of(Lookups(others.services), "weather_forecast", {"place": "lisbon", "days": 2}, tmp_path)

    assert (found.place, found.sky, found.temperature_c, found.humidity_percent) == (
        "Lisbon, Portugal",
        "partly cloudy",
        17.5,
        60,
    )
    assert [(day.date, day.sky, day.low_c) for day in found.days] == [
        ("2026-03-01", "light rain", 9.0),
        ("2026-03-02", "unknown", None),
    ]
    assert (others.query["latitude"], others.query["forecast_days"]) == ("38.7167", "2")


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        ("weather_forecast", {"place": "Nowhere"}, "knows no place 'Nowhere'"),
        ("weather_forecast", {"latitude": 1.0}, "expected a place, or a latitude and a longitude"),
        ("weather_forecast", {"place": "x", "latitude": 1.0}, "got both; leave one of them out"),
        ("geocode_place", {}, "expected a place, or a latitude and a longitude"),
        ("geocode_place", {"place": "x", "longitude": 1.0}, "got both; leave one of them out"),
        ("exchange_rates", {"base": "XXX"}, "has nothing at /api.frankfurter.dev/v1/latest (404: not found)"),
    ],
)
def test_what_cannot_be_looked_up_is_told(
    others: FakeServices, tmp_path: Path, tool: str, arguments: dict[str, Any], message: str
) -> None:
    others.answers("https://geocoding-api.open-meteo.com/v1/search", {"generationtime_ms": 0.5})
    others.answers("https://api.frankfurter.dev/v1/latest", {"message": "not found"}, status=404)

    assert message in failure_of(Lookups(others.services), tool, arguments, tmp_path)


def test_money_is_changed_at_the_rates_of_a_day(others: FakeServices, tmp_path: Path) -> None:
    others.answers(
        "https://api.frankfurter.dev/v1/2023-06-30",
        {"amount": 1.0, "base": "USD", "date": "2023-06-30", "rates": {"EUR": 0.5, "JPY": 150}},
    )

    found = result_of(
        Lookups(others.services),
        "exchange_rates",
        {"base": "usd", "into": ["EUR", "JPY", "USD"], "amount": 10, "on": "2023-06-30"},
        tmp_path,
    )

    assert (found.rates, found.date) == ({"EUR": 5.0, "JPY": 1500.0}, "2023-06-30")
    assert others.query == {"base": "USD", "symbols": "EUR,JPY"}


SQUARE = {
    "place_id": 1,
    "osm_type": "way",
    "osm_id": 77,
    "lat": "37.377",
    "lon": "-5.986",
    "category": "tourism",
    "type": "attraction",
    "display_name": "Square, City, Spain",
    "address": {"postcode": "41013", "country_code": "es"},
}


def test_a_place_is_found_and_a_second_look_asks_nobody(others: FakeServices, tmp_path: Path) -> None:
    others.answers("https://nominatim.openstreetmap.org/search", [SQUARE])
    executor = executor_for(Lookups(others.services), tmp_path)
    try:
        found = [executor.run("geocode_place", {"place": "square", "language": "es"}).result for _ in range(2)]
    finally:
        executor.close()

    assert found[0] == found[1]
    (place,) = found[0].places
    assert (place.latitude, place.kind, place.country_code, place.url) == (
        37.377,
        "tourism/attraction",
        "es",
        "https://www.openstreetmap.org/way/77",
    )
    assert others.query["accept-language"] == "es"
    assert others.last.headers["user-agent"] == "tool-console"
    assert len(others.server.seen) == 1


def test_what_lies_at_a_point_is_found(others: FakeServices, tmp_path: Path) -> None:
    lookups, point = Lookups(others.services), {"latitude": 37.377, "longitude": -5.986}
    others.answers("https://nominatim.openstreetmap.org/reverse", SQUARE)
    assert len(result_of(lookups, "geocode_place", point, tmp_path).places) == 1

    others.answers("https://nominatim.openstreetmap.org/reverse", {"error": "Unable to geocode"})
    assert result_of(lookups, "geocode_place", point, tmp_path).places == ()
