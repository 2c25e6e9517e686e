"""Units and number words as they are written in answers, each with the one name it is compared under."""

from __future__ import annotations

from decimal import Decimal

UNITS: dict[str, tuple[str, Decimal]] = {}
"""Written form -> (base unit, how many base units). Single letters and symbols as they are, words in lower case."""


def _add(base: str, factor: str, *written: str) -> None:
    for form in written:
        UNITS[form] = (base, Decimal(factor))


_add("second", "1", "s", "sec", "secs", "second", "seconds")
_add("second", "60", "min", "mins", "minute", "minutes")
_add("second", "3600", "h", "hr", "hrs", "hour", "hours")
_add("second", "86400", "day", "days", "d")
_add("second", "604800", "week", "weeks", "wk", "wks")
_add("month", "1", "month", "months")
_add("month", "12", "year", "years", "yr", "yrs")
_add("metre", "1", "m", "metre", "metres", "meter", "meters")
_add("metre", "1000", "km", "kilometre", "kilometres", "kilometer", "kilometers")
_add("metre", "0.01", "cm", "centimetre", "centimetres", "centimeter", "centimeters")
_add("metre", "0.001", "mm", "millimetre", "millimetres", "millimeter", "millimeters")
_add("foot", "1", "ft", "foot", "feet")
_add("mile", "1", "mile", "miles")
_add("gram", "1", "g", "gram", "grams", "gramme", "grammes")
_add("gram", "1000", "kg", "kilo", "kilos", "kilogram", "kilograms", "kilogramme", "kilogrammes")
_add("gram", "1000000", "t", "tonne", "tonnes")
_add("litre", "1", "l", "L", "litre", "litres", "liter", "liters")
_add("litre", "0.001", "ml", "millilitre", "millilitres", "milliliter", "milliliters")
_add("percent", "1", "%", "percent", "per cent", "pct", "percentage points")
_add("GBP", "1", "£", "GBP", "pound", "pounds", "quid")
_add("GBP", "0.01", "p", "pence")
_add("EUR", "1", "€", "EUR", "euro", "euros")
_add("USD", "1", "$", "USD", "dollar", "dollars")
_add("cent", "1", "cent", "cents")
_add("CHF", "1", "CHF", "francs")
_add("degree C", "1", "°C", "° C", "degrees celsius", "degrees c", "degree celsius", "celsius")
_add("degree F", "1", "°F", "degrees fahrenheit", "fahrenheit")
_add("degree", "1", "°", "degree", "degrees")
_add("knot", "1", "knot", "knots", "kn", "kt")
_add("km/h", "1", "km/h", "kmh", "kph")
_add("mph", "1", "mph")
_add("m/s", "1", "m/s")
_add("volt", "1", "V", "volt", "volts")
_add("ampere", "1", "A", "amp", "amps", "ampere", "amperes")
_add("ampere", "0.001", "mA", "milliamp", "milliamps")
_add("watt", "1", "W", "watt", "watts")
_add("watt", "1000", "kW", "kilowatt", "kilowatts")
_add("hertz", "1", "Hz", "hertz")
_add("hertz", "1000", "kHz", "kilohertz")
_add("newton", "1", "N", "newton", "newtons")
_add("bar", "1", "bar")
_add("decibel", "1", "dB", "decibel", "decibels")
_add("byte", "1000000", "MB", "megabyte", "megabytes")
_add("byte", "1000000000", "GB", "gigabyte", "gigabytes")
_add("time", "1", "time", "times")

MONEY = frozenset({"GBP", "EUR", "USD", "CHF", "cent"})
TIME = frozenset({"second", "month"})

SCALES = {
    "k": Decimal(1000),
    "thousand": Decimal(1000),
    "m": Decimal(1000000),
    "million": Decimal(1000000),
    "bn": Decimal(1000000000),
    "billion": Decimal(1000000000),
    "hundred": Decimal(100),
    "dozen": Decimal(12),
}

ONES = {
    word: Decimal(value)
    for value, word in enumerate(
        """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
        sixteen seventeen eighteen nineteen""".split()
    )
}
TENS = {
    word: Decimal(10 * value)
    for value, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2)
}
ORDINALS = dict(
    zip(
        """first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth
        fifteenth sixteenth seventeenth eighteenth nineteenth twentieth""".split(),
        "1st 2nd 3rd 4th 5th 6th 7th 8th 9th 10th 11th 12th 13th 14th 15th 16th 17th 18th 19th 20th".split(),
        strict=True,
    )
)
MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan",
            "february feb",
            "march mar",
            "april apr",
            "may",
            "june jun",
            "july jul",
            "august aug",
            "september sept sep",
            "october oct",
            "november nov",
            "december dec",
        ),
        start=1,
    )
    for name in names.split()
}
