"""Hide secrets in what people are shown and what is stored: values at paths, and the same values inside texts.

A tool's `Masking` is made once, from the paths its policy names and from what its schemas call secret. It knows nothing
of calls: it takes plain values and gives plain values back.
"""

from tools.masking.addresses import is_secret_parameter, masked_address
from tools.masking.compiling import RESULT
from tools.masking.masking import Masking, masking_of
from tools.masking.paths import MASK, parse_path, same_name
from tools.masking.scrubbing import Scrubber

__all__ = [
    "MASK",
    "RESULT",
    "Masking",
    "Scrubber",
    "is_secret_parameter",
    "masked_address",
    "masking_of",
    "parse_path",
    "same_name",
]
