"""Second factors of people: set up, used, and removed."""

import time

from django.contrib.auth.models import User
from django.db import transaction

from config.models import RecoveryCode, SecondFactor
from config.second_factor.codes import (
    as_typed,
    fingerprint,
    key_of,
    new_recovery_codes,
    step_of,
)

BY_APP, BY_RECOVERY = "code", "recovery code"


def set_up(person: User, seed: str, code: str) -> list[str]:
    """Let an app be the second factor once it has shown a right code.

    Returns
    -------
    list of str
        The recovery codes, which are shown this once; empty if the code is wrong.
    """
    step = step_of(key_of(person.pk, seed), as_typed(code), _now())
    if step is None:
        return []
    with transaction.atomic():
        values = {"seed": seed, "last_step": step}
        factor, is_new = SecondFactor.objects.get_or_create(user=person, defaults=values)
        return give_recovery_codes(factor) if is_new else []


def give_recovery_codes(factor: SecondFactor) -> list[str]:
    """Replace the recovery codes, and return the new ones."""
    codes = new_recovery_codes()
    with transaction.atomic():
        factor.recovery_codes.all().delete()
        RecoveryCode.objects.bulk_create(
            RecoveryCode(factor=factor, code_sha256=fingerprint(code)) for code in codes
        )
    return codes


def use(person: User, typed: str) -> str:
    """Use a code up, of the app or for recovery.

    Returns
    -------
    str
        Which of the two it was; empty if it is wrong, or was used before.
    """
    factor = SecondFactor.objects.filter(user=person).first()
    if factor is None:
        return ""
    code = as_typed(typed)
    if len(code) > len("123456"):
        used = factor.recovery_codes.filter(code_sha256=fingerprint(code)).delete()[0]
        return BY_RECOVERY if used else ""
    step = step_of(key_of(person.pk, factor.seed), code, _now())
    if step is None:
        return ""
    # The database lets one of two requests at once through.
    later = SecondFactor.objects.filter(pk=factor.pk, last_step__lt=step)
    return BY_APP if later.update(last_step=step) else ""


def remove(person: User) -> bool:
    """Remove the second factor with its recovery codes; return whether there was one."""
    return bool(SecondFactor.objects.filter(user=person).delete()[0])


def _now() -> float:
    return time.time()
