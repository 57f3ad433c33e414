"""Weather, exchange rates and places."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any, Final

from annotated_types import Ge, Le
from pydantic import StringConstraints

from tools.catalog._answers import number_at, objects_at, part, text_at, texts_at, whole_at
from tools.catalog._services import Service, WebServices
from tools.context import ToolContext
from tools.declare import tool, toolkit
from tools.declare.decorators import cached, rate_limit, retry
from tools.errors import ToolFailure, TransientError
from tools.spec import Param, ToolExample

_PLACES: Final = Service("Open-Meteo", "https://geocoding-api.open-meteo.com/v1")
_WEATHER: Final = Service("Open-Meteo", "https://api.open-meteo.com/v1")
_RATES: Final = Service("Frankfurter", "https://api.frankfurter.dev/v1")
_NOMINATIM: Final = Service("Nominatim", "https://nominatim.openstreetmap.org")

Place = Annotated[str, StringConstraints(strip_whitespace=True, max_length=200)]
Latitude = Annotated[float, Ge(-90), Le(90)]
Longitude = Annotated[float, Ge(-180), Le(180)]
Currency = Annotated[str, StringConstraints(to_upper=True, pattern=r"^[A-Za-z]{3}$")]

_SKIES: Final = {
    0: "clear",
    1: "mainly clear",
    2: "partly cloudy",
    3: "overcast",
    45: "fog",
    48: "fog with rime",
    51: "light drizzle",
    53: "drizzle",
    55: "heavy drizzle",
    56: "light freezing drizzle",
    57: "freezing drizzle",
    61: "light rain",
    63: "rain",
    65: "heavy rain",
    66: "light freezing rain",
    67: "freezing rain",
    71: "light snow",
    73: "snow",
    75: "heavy snow",
    77: "snow grains",
    80: "light showers",
    81: "showers",
    82: "violent showers",
    85: "light snow showers",
    86: "snow showers",
    95: "thunderstorm",
    96: "thunderstorm with hail",
    99: "thunderstorm with heavy hail",
}
"""What the weather codes mean. Source: WMO code table 4677 as Open-Meteo documents it."""


@dataclass(frozen=True)
class WeatherDay:
    """The weather of one day.

    Attributes:
        date: The day.
        sky: What the sky is like.
        low_c: The lowest temperature in °C.
        high_c: The highest temperature in °C.
        precipitation_mm: Rain and melted snow in mm.
        precipitation_percent: How likely it is to rain or snow.
        wind_km_h: The strongest wind in km/h.
    """

    date: str
    sky: str
    low_c: float | None
    high_c: float | None
    precipitation_mm: float | None
    precipitation_percent: int | None
    wind_km_h: float | None


@dataclass(frozen=True)
class WeatherForecast:
    """The weather now and in the coming days.

    Attributes:
        place: The place that was meant, with its country.
        latitude: Where it is.
        longitude: Where it is.
        timezone: The time zone of the days.
        measured_at: The local time of what is now.
        sky: What the sky is like now.
        temperature_c: The temperature now in °C.
        feels_like_c: What it feels like in °C.
        humidity_percent: The relative humidity now.
        wind_km_h: The wind now in km/h.
        days: The coming days, today first.
        attribution: Whom to name when the data is shown.
    """

    place: str
    latitude: float
    longitude: float
    timezone: str
    measured_at: str
    sky: str
    temperature_c: float | None
    feels_like_c: float | None
    humidity_percent: int | None
    wind_km_h: float | None
    days: tuple[WeatherDay, ...]
    attribution: str = "Weather data by Open-Meteo.com, CC BY 4.0"


@dataclass(frozen=True)
class Rates:
    """Exchange rates of the European Central Bank.

    Attributes:
        base: The currency that was changed.
        amount: How much of it.
        date: The day of the rates, which the bank sets on working days.
        rates: What the amount is in other currencies.
    """

    base: str
    amount: float
    date: str
    rates: dict[str, float]


@dataclass(frozen=True)
class FoundPlace:
    """One place on the map.

    Attributes:
        name: Its name with all it lies in.
        latitude: Where it is.
        longitude: Where it is.
        kind: What it is, such as boundary/administrative.
        country_code: Two small letters; empty when it lies in no country.
        postcode: Its postcode; empty when it has none.
        url: Its page at OpenStreetMap.
    """

    name: str
    latitude: float
    longitude: float
    kind: str
    country_code: str
    postcode: str
    url: str


@dataclass(frozen=True)
class FoundPlaces:
    """The places that were found.

    Attributes:
        places: The places, the most important first.
        attribution: Whom to name when the data is shown.
    """

    places: tuple[FoundPlace, ...]
    attribution: str = "Data © OpenStreetMap contributors, ODbL"


@toolkit("Lookups", category="lookups", description="Look up weather, exchange rates and places.")
class Lookups:
    """Look up weather, exchange rates and places.

    Args:
        services: Asks the services.
    """

    def __init__(self, services: WebServices | None = None) -> None:
        self._services = services or WebServices()

    @tool(
        keywords=("weather", "forecast", "temperature", "rain", "wind"),
        latency="medium",
        probe={"place": "Lisbon", "days": 1},
        probe_on_request=True,
        needs=("Open-Meteo",),
        untried=True,
        read_only=True,
        open_world=True,
        timeout_s=60,
        examples=(
            ToolExample(input={"place": "Lisbon", "days": 3}, description="Three days at a place"),
            ToolExample(input={"latitude": 60.39, "longitude": 5.32}, description="At a point"),
        ),
    )
    @retry(max_attempts=2, retry_on=(TransientError,))
    async def weather_forecast(
        self,
        *,
        place: Annotated[Place, Param("The name of a place; empty when a point is given")] = "",
        latitude: Annotated[Latitude | None, Param("Of a point", unit="°")] = None,
        longitude: Annotated[Longitude | None, Param("Of a point", unit="°")] = None,
        days: Annotated[int, Ge(1), Le(16), Param("How many days, today included", unit="days")] = 7,
        ctx: ToolContext,
    ) -> WeatherForecast:
        """Tell the weather now and in the coming days at a place or a point, from Open-Meteo, in °C, mm and km/h."""
        name, north, east = await self._point(ctx, place, latitude, longitude)
        answer = await self._services.json(
            ctx,
            _WEATHER,
            "/forecast",
            query={
                "latitude": f"{north:.4f}",
                "longitude": f"{east:.4f}",
                "current": "temperature_2m,apparent_temperature,relative_humidity_2m,weather_code,wind_speed_10m",
                "daily": "weather_code,temperature_2m_max,temperature_2m_min,precipitation_sum,"
                "precipitation_probability_max,wind_speed_10m_max",
                "timezone": "auto",
                "forecast_days": days,
            },
        )
        return WeatherForecast(
            place=name,
            latitude=north,
            longitude=east,
            timezone=text_at(answer, "timezone"),
            measured_at=text_at(answer, "current", "time"),
            sky=_sky(whole_at(answer, "current", "weather_code")),
            temperature_c=number_at(answer, "current", "temperature_2m"),
            feels_like_c=number_at(answer, "current", "apparent_temperature"),
            humidity_percent=whole_at(answer, "current", "relative_humidity_2m"),
            wind_km_h=number_at(answer, "current", "wind_speed_10m"),
            days=tuple(_day(answer, place) for place in range(len(texts_at(answer, "daily", "time")))),
        )

    async def _point(
        self, ctx: ToolContext, place: str, latitude: float | None, longitude: float | None
    ) -> tuple[str, float, float]:
        if not place:
            if latitude is None or longitude is None:
                raise ToolFailure("expected a place, or a latitude and a longitude; give one of them")
            return f"{latitude:g}, {longitude:g}", latitude, longitude
        if latitude is not None or longitude is not None:
            raise ToolFailure("expected a place or a point, got both; leave one of them out")
        answer = await self._services.json(ctx, _PLACES, "/search", query={"name": place, "count": 1})
        found = part(answer, "results", 0)
        north, east = number_at(found, "latitude"), number_at(found, "longitude")
        if north is None or east is None:
            raise ToolFailure(f"Open-Meteo knows no place {place!r}; geocode_place finds its point")
        parts = dict.fromkeys(filter(None, (text_at(found, key) for key in ("name", "admin1", "country"))))
        return ", ".join(parts), north, east

    @tool(
        keywords=("currency", "exchange", "rates", "euro", "convert", "money"),
        latency="medium",
        probe={},
        probe_on_request=True,
        needs=("Frankfurter",),
        untried=True,
        read_only=True,
        open_world=True,
        timeout_s=60,
        examples=(
            ToolExample(input={"base": "USD", "into": ["EUR", "JPY"], "amount": 250}, description="Change money"),
            ToolExample(input={"base": "EUR", "on": "2023-06-30"}, description="All rates of a day"),
        ),
    )
    @cached(ttl_s=900, max_size=100)
    @retry(max_attempts=2, retry_on=(TransientError,))
    async def exchange_rates(
        self,
        base: Annotated[Currency, Param("The currency that is changed, such as EUR")] = "EUR",
        *,
        into: Annotated[tuple[Currency, ...], Param("The currencies wanted; none means all")] = (),
        amount: Annotated[float, Ge(0), Le(1e15), Param("How much of it is changed")] = 1.0,
        on: Annotated[date | None, Param("The day of the rates; the newest ones without it")] = None,
        ctx: ToolContext,
    ) -> Rates:
        """Tell the European Central Bank's exchange rates of a working day since 1999, and what an amount is worth."""
        answer = await self._services.json(
            ctx,
            _RATES,
            f"/{on.isoformat() if on else 'latest'}",
            query={"base": base, "symbols": ",".join(name for name in into if name != base)},
        )
        rates = part(answer, "rates")
        if not isinstance(rates, dict):
            raise ToolFailure("Frankfurter answered without rates; try again later")
        worth = {name: round(amount * rate, 6) for name in rates if (rate := number_at(rates, name)) is not None}
        return Rates(text_at(answer, "base"), amount, text_at(answer, "date"), worth)

    @tool(
        keywords=("geocode", "map", "address", "coordinates", "latitude", "longitude", "openstreetmap"),
        latency="medium",
        probe={"place": "Lisbon"},
        probe_on_request=True,
        needs=("Nominatim",),
        untried=True,
        read_only=True,
        open_world=True,
        timeout_s=90,
        examples=(
            ToolExample(input={"place": "Plaza de España, Sevilla"}, description="Where an address is"),
            ToolExample(input={"latitude": 48.8584, "longitude": 2.2945}, description="What is at a point"),
        ),
    )
    @cached(ttl_s=86_400, max_size=500)
    @rate_limit(requests=1, per_s=1.0)
    @retry(max_attempts=2, initial_delay_s=1.0, retry_on=(TransientError,))
    async def geocode_place(
        self,
        *,
        place: Annotated[Place, Param("An address or a name; empty when a point is given")] = "",
        latitude: Annotated[Latitude | None, Param("Of a point", unit="°")] = None,
        longitude: Annotated[Longitude | None, Param("Of a point", unit="°")] = None,
        language: Annotated[str, StringConstraints(pattern=r"^[a-z]{2}$"), Param("The language of names")] = "en",
        limit: Annotated[int, Ge(1), Le(40), Param("The most places to return")] = 5,
        ctx: ToolContext,
    ) -> FoundPlaces:
        """Find the coordinates of an address or a place, or what is at a point, at OpenStreetMap's Nominatim.

        One request a second and answers kept for a day, as its rules ask; it is not for looking up long lists.
        """
        how: dict[str, str | int | None] = {"format": "jsonv2", "addressdetails": 1, "accept-language": language}
        if place:
            if latitude is not None or longitude is not None:
                raise ToolFailure("expected a place or a point, got both; leave one of them out")
            found: Any = await self._services.json(
                ctx, _NOMINATIM, "/search", query={**how, "q": place, "limit": limit}
            )
        elif latitude is not None and longitude is not None:
            one = await self._services.json(
                ctx, _NOMINATIM, "/reverse", query={**how, "lat": f"{latitude:.6f}", "lon": f"{longitude:.6f}"}
            )
            found = [] if part(one, "error") is not None else [one]
        else:
            raise ToolFailure("expected a place, or a latitude and a longitude; give one of them")
        return FoundPlaces(tuple(_place(item) for item in objects_at(found)[:limit]))


def _sky(code: int | None) -> str:
    return _SKIES.get(-1 if code is None else code, "unknown")


def _day(answer: Any, place: int) -> WeatherDay:
    return WeatherDay(
        date=text_at(answer, "daily", "time", place),
        sky=_sky(whole_at(answer, "daily", "weather_code", place)),
        low_c=number_at(answer, "daily", "temperature_2m_min", place),
        high_c=number_at(answer, "daily", "temperature_2m_max", place),
        precipitation_mm=number_at(answer, "daily", "precipitation_sum", place),
        precipitation_percent=whole_at(answer, "daily", "precipitation_probability_max", place),
        wind_km_h=number_at(answer, "daily", "wind_speed_10m_max", place),
    )


def _place(item: dict[str, Any]) -> FoundPlace:
    kinds = filter(None, (text_at(item, "category"), text_at(item, "type")))
    return FoundPlace(
        name=text_at(item, "display_name"),
        latitude=number_at(item, "lat") or 0.0,
        longitude=number_at(item, "lon") or 0.0,
        kind="/".join(kinds),
        country_code=text_at(item, "address", "country_code"),
        postcode=text_at(item, "address", "postcode"),
        url=f"https://www.openstreetmap.org/{text_at(item, 'osm_type')}/{text_at(item, 'osm_id')}",
    )
