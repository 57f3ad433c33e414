"""Say what is wrong with an installation of this program, and what to do; nothing is changed.

The command line prints what `examine` returns, and the window shows the same.
"""

from tools.doctor.diagnosis import Diagnosis, Grade, as_text, worst
from tools.doctor.examining import Installation, examine

__all__ = ["Diagnosis", "Grade", "Installation", "as_text", "examine", "worst"]
