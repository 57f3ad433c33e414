"""The audit log: every call in a chain of entries, in which nothing can be changed without being found.

```python
with AuditLog(folder) as audit:
    executor = Executor(registry, audit=audit)
    ...
report = verify(folder)
```
"""

from tools.audit.describing import MASKABLE
from tools.audit.exporting import Exported, export
from tools.audit.folder import ChainHead, read_head
from tools.audit.keys import KEYRING_ENTRY, checking_key
from tools.audit.ledger import Recovery
from tools.audit.log import AuditLog, seal
from tools.audit.verifying import AuditFinding, AuditReport, verify, verify_export

__all__ = [
    "KEYRING_ENTRY",
    "MASKABLE",
    "AuditFinding",
    "AuditLog",
    "AuditReport",
    "ChainHead",
    "Exported",
    "Recovery",
    "checking_key",
    "export",
    "read_head",
    "seal",
    "verify",
    "verify_export",
]
