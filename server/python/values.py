"""Values on their way between a script and the run (`script-values.ts`). It stands before `runner.py` in one program."""
import datetime, decimal, math

class Unfit(Exception):
    pass

SAFE, LEAST, MOST, DEEPEST = 2 ** 53 - 1, -2 ** 63, 2 ** 63 - 1, 64
EPOCH = datetime.datetime(1970, 1, 1)

def cell(value, depth=0):
    kind = type(value)
    if kind is str or kind is bool or value is None:
        return value
    if kind is int:
        if -SAFE <= value <= SAFE:
            return value
        if LEAST <= value <= MOST:
            return {'i': str(value)}
        raise Unfit('an integer beyond 64 bits')
    if kind is float:
        return value if math.isfinite(value) else None
    return other(value, depth)

def other(value, depth):
    if depth == DEEPEST:
        raise Unfit('collections nested more than %d deep' % DEEPEST)
    inner = lambda one: cell(one, depth + 1)
    if isinstance(value, (list, tuple)):
        return [inner(one) for one in value]
    if isinstance(value, dict):
        named = all(isinstance(key, str) for key in value)
        return {'struct' if named else 'map': [inner(part) for item in value.items() for part in item]}
    if isinstance(value, (set, frozenset)):
        return {'set': [inner(one) for one in value]}
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, bool):
        return bool(value)
    if isinstance(value, int):
        return cell(int(value), depth)
    if isinstance(value, float):
        return cell(float(value), depth)
    if isinstance(value, decimal.Decimal):
        return cell(float(value), depth) if value.is_finite() else None
    if isinstance(value, datetime.datetime):
        if value != value:
            return None
        if value.tzinfo is not None:
            value = value.astimezone(datetime.timezone.utc).replace(tzinfo=None)
        return {'time': str((value - EPOCH) // datetime.timedelta(microseconds=1))}
    if isinstance(value, datetime.date):
        return {'day': value.toordinal() - 719163}
    if type(value).__name__ in ('NAType', 'NaTType'):
        return None
    plain = plain_of(value)
    return str(value) if plain is value else cell(plain, depth + 1)

PLAIN = (type(None), bool, int, float, str, list, datetime.date, decimal.Decimal)

def plain_of(value):
    if type(value).__name__ == 'datetime64':
        value = value.astype('datetime64[us]')
    elif type(value).__name__ == 'timedelta64':
        return value
    for name in ['tolist', 'item']:
        try:
            plain = getattr(value, name)()
        except Exception:
            continue
        if isinstance(plain, PLAIN) and type(plain) is not type(value):
            return plain
    return value

def parameter(value):
    if isinstance(value, list):
        return [parameter(one) for one in value]
    if not isinstance(value, dict):
        return value
    (kind, inner), = value.items()
    if kind == 'i':
        return int(inner)
    if kind == 'f':
        return float(inner)
    if kind == 'day':
        return datetime.date.fromordinal(inner + 719163)
    if kind == 'time':
        return EPOCH + datetime.timedelta(microseconds=int(inner))
    parts = [parameter(one) for one in inner]
    if kind == 'set':
        try:
            return set(parts)
        except TypeError:
            return parts
    return dict(zip(parts[::2], parts[1::2]))
