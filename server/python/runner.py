"""Runs one script of Python: takes one request in a frame on standard input, and gives frames on descriptor 3 (`frames.ts`).

It has three processes if the system has namespaces. The first one takes in every process that the script leaves behind. It ends all of
them when the script is done or standard input is closed. A killed host closes it, too. The second one makes the namespaces, and the
third is alone in them and runs the script. Without namespaces the first one starts the script itself.

Every Python from 3.4 on can read it, so that an old one can say that it is too old.
"""
import sys, os, json, struct

def take(size):
    parts = []
    while size > 0:
        part = os.read(0, min(size, 1 << 20))
        if not part:
            os._exit(0)
        parts.append(part)
        size -= len(part)
    return b''.join(parts)

def give(results, value):
    data = json.dumps(value, separators=(',', ':')).encode('ascii')
    left = memoryview(struct.pack('>I', len(data)) + data)
    while left:
        left = left[os.write(results, left):]
    return len(data)

request = json.loads(take(struct.unpack('>I', take(4))[0]).decode('utf-8'))
results = os.dup(3)
os.close(3)
version = '.'.join(str(part) for part in sys.version_info[:3])
if sys.version_info < (3, 9):
    give(results, {'old': version})
    os._exit(0)

import errno, importlib.abc, importlib.util, inspect, linecache, select, shutil, signal, traceback
try:
    import ctypes
except ImportError:
    ctypes = None

LINUX = sys.platform.startswith('linux') and ctypes is not None
LIBC = ctypes.CDLL(None, use_errno=True) if LINUX else None

def system(name, *args):
    function = getattr(LIBC, name)
    function.restype = ctypes.c_long
    if function(*args) == -1:
        number = ctypes.get_errno()
        raise OSError(number, name + ': ' + os.strerror(number))

PR_SET_PDEATHSIG, PR_CAPBSET_DROP, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT = 1, 24, 36, 38, 47

def control(option, *args):
    system('prctl', option, *([ctypes.c_ulong(arg) for arg in args] + [ctypes.c_ulong(0)] * (4 - len(args))))

# --- Walls: namespaces of its own for files, processes, network and users.

NEWNS, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET = 0x20000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000
MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_BIND, MS_REC, MS_PRIVATE, MNT_DETACH = 2, 4, 8, 4096, 16384, 1 << 18, 2
AT_FDCWD, AT_RECURSIVE, MOUNT_SETATTR, RDONLY, NOSUID, NODEV = -100, 0x8000, 442, 1, 2, 4
SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store']
SETTINGS = ['alternatives', 'ca-certificates', 'ca-certificates.conf', 'crypto-policies', 'fonts', 'gai.conf', 'group', 'host.conf', 'hosts',
    'ld.so.cache', 'ld.so.conf', 'ld.so.conf.d', 'localtime', 'mime.types', 'nsswitch.conf', 'os-release', 'passwd', 'pki', 'protocols',
    'resolv.conf', 'services', 'ssl', 'timezone']
DEVICES = ['null', 'zero', 'full', 'random', 'urandom']

def text(value):
    return None if value is None else ctypes.c_char_p(os.fsencode(value))

def mount(source, target, kind, flags, options=None):
    system('mount', text(source), text(target), text(kind), ctypes.c_ulong(flags), text(options))

def protect(path, flags, add, clear):
    attributes = struct.pack('=QQQQ', add, clear, 0, 0)
    system('syscall', ctypes.c_long(MOUNT_SETATTR), ctypes.c_int(AT_FDCWD), text(path), ctypes.c_uint(flags), attributes,
        ctypes.c_size_t(len(attributes)))

def within(path, folder):
    return path == folder or path.startswith(folder.rstrip('/') + '/')

def readable():
    homes = [os.path.realpath(home) for home in request['hidden']]
    found = []
    prefixes = [sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix] + [path for path in sys.path if os.path.isdir(path)]
    for path in SYSTEM + prefixes:
        for one in [os.path.abspath(path), os.path.realpath(path)]:
            if os.path.exists(one) and not any(within(home, os.path.realpath(one)) for home in homes + ['/']):
                found.append(one)
    return sorted(set(found), key=len)

def bind(source, target):
    if os.path.isdir(source):
        os.makedirs(target, exist_ok=True)
    elif not os.path.exists(target):
        os.makedirs(os.path.dirname(target), exist_ok=True)
        open(target, 'a').close()
    mount(source, target, None, MS_BIND | MS_REC)

def separate():
    user, group = os.geteuid(), os.getegid()
    flags = NEWNS | NEWUTS | NEWIPC | NEWUSER | NEWPID | (0 if request['network'] else NEWNET)
    system('unshare', ctypes.c_int(flags))
    for name, value in [('setgroups', 'deny'), ('uid_map', '%d %d 1' % (user, user)), ('gid_map', '%d %d 1' % (group, group))]:
        with open('/proc/self/' + name, 'w') as file:
            file.write(value)

def show_folder(path, base, root):
    bind(path, root + path)
    try:
        protect(root + path, AT_RECURSIVE, RDONLY | NOSUID | NODEV, 0)
        for closed in request['closed']:
            if within(closed, path) and os.path.isdir(closed):
                mount('tmpfs', root + closed, 'tmpfs', MS_NOSUID | MS_NODEV, 'mode=555,size=4k')
        if within(base, path):
            mount('tmpfs', root + base, 'tmpfs', MS_NOSUID | MS_NODEV, 'mode=755,size=1m')
    except OSError:
        system('umount2', text(root + path), MNT_DETACH)
        raise

def shown():
    for path in request['shown']:
        for one in os.listdir('/') if path == '/' else ['']:
            if one not in ('proc', 'sys', 'dev', 'run'):
                yield os.path.join(path, one).rstrip('/')

def show_folders(base, root, made):
    for path in sorted(set(os.path.realpath(path) for path in shown()), key=len):
        if any(within(path, other) for other in made):
            continue
        try:
            show_folder(path, base, root)
            made.append(path)
        except OSError as error:
            print('The folder %s cannot be shown to the script: %s' % (path, error), file=sys.stderr)
    for name in shown():
        prefixes = [name[:at] for at in range(1, len(name) + 1) if at == len(name) or name[at] == '/']
        real = os.path.realpath(name)
        if not any(within(name, other) for other in made) and not any(os.path.islink(root + prefix) for prefix in prefixes):
            if any(within(real, other) for other in made):
                bind(root + real, root + name)

def enclose():
    root, work = request['root'], request['work']
    mount(None, '/', None, MS_REC | MS_PRIVATE)
    mount('tmpfs', root, 'tmpfs', MS_NOSUID | MS_NODEV, 'mode=755,size=1m')
    made = []
    for path in readable():
        if any(within(path, other) for other in made):
            continue
        if os.path.islink(path):
            os.makedirs(root + os.path.dirname(path), exist_ok=True)
            os.symlink(os.readlink(path), root + path)
        else:
            bind(path, root + path)
            made.append(path)
    for name in SETTINGS:
        if os.path.exists('/etc/' + name):
            bind(os.path.realpath('/etc/' + name), root + '/etc/' + name)
    for name in DEVICES:
        bind('/dev/' + name, root + '/dev/' + name)
    os.symlink('/proc/self/fd', root + '/dev/fd')
    os.makedirs(root + '/dev/shm')
    mount('tmpfs', root + '/dev/shm', 'tmpfs', MS_NOSUID | MS_NODEV, 'mode=1777,size=%d' % request['memory'])
    os.makedirs(root + '/proc')
    mount('proc', root + '/proc', 'proc', MS_NOSUID | MS_NODEV | MS_NOEXEC)
    show_folders(request['base'], root, made)
    bind(work, root + work)
    protect(root, AT_RECURSIVE, RDONLY, 0)
    protect(root + '/dev/shm', 0, 0, RDONLY)
    protect(root + work, 0, 0, RDONLY)
    os.chdir(root)
    system('pivot_root', text('.'), text('.'))
    system('umount2', text('.'), ctypes.c_int(MNT_DETACH))
    control(PR_SET_NO_NEW_PRIVS, 1)
    control(PR_CAP_AMBIENT, 4)
    for number in range(64):
        try:
            control(PR_CAPBSET_DROP, number)
        except OSError:
            break
    system('capset', struct.pack('=Ii', 0x20080522, 0), struct.pack('=6I', 0, 0, 0, 0, 0, 0))

# --- Limits, and the script.

def tasks_of(user):
    count = 0
    for name in os.listdir('/proc'):
        try:
            if name.isdigit() and os.stat('/proc/' + name).st_uid == user:
                count += len(os.listdir('/proc/' + name + '/task'))
        except OSError:
            pass
    return count

def limit():
    try:
        import resource
    except ImportError:
        return
    def at_most(name, value):
        try:
            _, hard = resource.getrlimit(getattr(resource, name))
            if hard != resource.RLIM_INFINITY:
                value = min(value, hard)
            resource.setrlimit(getattr(resource, name), (value, value))
        except (AttributeError, ValueError, OSError):
            pass
    at_most('RLIMIT_CORE', 0)
    at_most('RLIMIT_FSIZE', request['fileSize'])
    at_most('RLIMIT_CPU', request['seconds'] * (os.cpu_count() or 1))
    at_most('RLIMIT_AS', request['memory'])
    if LINUX:
        at_most('RLIMIT_NPROC', tasks_of(os.getuid()) + request['processes'])

SCRIPTS = request['scripts']

def path_of(name):
    return SCRIPTS[name].get('path') or SCRIPTS[name]['file']

class Finder(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    def find_spec(self, name, path=None, target=None):
        if name in SCRIPTS:
            return importlib.util.spec_from_loader(name, self, origin=SCRIPTS[name]['file'])
    def exec_module(self, module):
        module.__file__ = path_of(module.__name__)
        super().exec_module(module)
    def get_source(self, name):
        return SCRIPTS[name]['text']
    def get_code(self, name):
        return compile(SCRIPTS[name]['text'], SCRIPTS[name]['file'], 'exec', dont_inherit=True)
    def is_package(self, name):
        return False

MOST_ROWS, MOST_BYTES = 4096, 1 << 18

def give_rows(rows, columns):
    names = set(columns)
    number, size = 0, 16
    while number < len(rows):
        chunk = []
        for row in rows[number:number + size]:
            number += 1
            if not isinstance(row, dict):
                return {'fault': 'row', 'row': number, 'kind': type(row).__name__}
            if row.keys() != names:
                return {'fault': 'columns', 'row': number, 'actual': [str(key) for key in row]}
            try:
                chunk.append([cell(row[name]) for name in columns])
            except Unfit as error:
                return {'fault': 'value', 'row': number, 'reason': str(error)}
        length = give(results, chunk)
        if length < MOST_BYTES:
            size = min(size * 2, MOST_ROWS)
        elif length > 4 * MOST_BYTES:
            size = max(size // 4, 1)
    return {'rows': number}

def listing(rows):
    if isinstance(rows, list):
        return rows
    if isinstance(rows, type) or isinstance(rows, (dict, str, bytes, bytearray)):
        return None
    for name in ['to_dicts', 'to_pylist']:
        if callable(getattr(rows, name, None)):
            return list(getattr(rows, name)())
    if hasattr(rows, 'columns') and callable(getattr(rows, 'to_dict', None)):
        return list(rows.to_dict('records'))
    return list(rows) if hasattr(rows, '__iter__') else None

def takes_parameters(main):
    if not callable(main):
        return None
    try:
        given = inspect.signature(main).parameters.values()
    except (TypeError, ValueError):
        return None
    positional = [one for one in given if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    needed = [one for one in given if one.kind == one.KEYWORD_ONLY and one.default is one.empty]
    if len(positional) > 1 or needed:
        return None
    return len(positional) == 1 or any(one.kind == one.VAR_POSITIONAL for one in given)

def missed(error):
    for _ in range(16):
        if error is None:
            return None
        kind = {errno.ENOENT: 'absent', errno.EROFS: 'read-only'}.get(error.errno) if isinstance(error, OSError) else None
        if kind is not None and isinstance(error.filename, (str, os.PathLike)):
            return {'kind': kind, 'path': os.fspath(error.filename)[:4096]}
        error = error.__cause__ or error.__context__
    return None

def failure(error):
    files = set(script['file'] for script in SCRIPTS.values())
    told = traceback.TracebackException(type(error), error, error.__traceback__)
    own = [index for index, frame in enumerate(told.stack) if frame.filename in files]
    told.stack = traceback.StackSummary.from_list(told.stack[own[0]:] if own else [])
    file, line = (told.stack[own[-1] - own[0]].filename, told.stack[own[-1] - own[0]].lineno) if own else (None, None)
    if isinstance(error, SyntaxError) and error.filename in files:
        file, line = error.filename, error.lineno
    try:
        reason = ''.join(traceback.format_exception_only(type(error), error)).strip().split('\n')[-1]
        shown = ''.join(told.format())
    except Exception:
        reason = shown = type(error).__name__
    return {'fault': 'failed', 'reason': reason[-2000:], 'traceback': shown[-65536:], 'file': file, 'line': line, 'missed': missed(error)}

def answer():
    for script in SCRIPTS.values():
        lines = script['text'].splitlines(True)
        linecache.cache[script['file']] = (len(script['text']), None, lines, script['file'])
    finder = Finder()
    sys.meta_path.insert(0, finder)
    sys.argv = [path_of(request['script'])]
    try:
        name = request['script']
        spec = finder.find_spec(name)
        module = sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        main = getattr(module, 'main', None)
        takes = takes_parameters(main)
        if takes is None:
            return {'fault': 'main'}
        rows = main(dict((name, parameter(value)) for name, value in request['parameters'].items())) if takes else main()
        listed = listing(rows)
        if listed is None:
            return {'fault': 'result', 'kind': type(rows).__name__}
        return give_rows(listed, request['columns'])
    except BaseException as error:
        return failure(error)

def work(why):
    give(results, {'began': {'python': version, 'why': why}})
    os.chdir(request['work'])
    if 'start' in request:
        try:
            os.chdir(request['start'])
        except OSError:
            pass
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    limit()
    end = answer()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            pass
    give(results, {'end': end})
    os._exit(0)

# --- Who starts and ends the others.

def children():
    found = []
    for task in os.listdir('/proc/self/task'):
        with open('/proc/self/task/' + task + '/children') as file:
            found.extend(int(child) for child in file.read().split())
    return found

def end_all():
    try:
        control(PR_SET_CHILD_SUBREAPER, 1)
        for _ in range(1000):
            left = children()
            if not left:
                return True
            for child in left:
                os.kill(child, signal.SIGKILL)
            reaped()
            select.select([], [], [], 0.002)
    except Exception:
        pass
    return False

def reaped():
    codes = {}
    while True:
        try:
            child, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return codes
        if child == 0:
            return codes
        codes[child] = os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)

def forked(action):
    child = os.fork()
    if child == 0:
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            if LINUX:
                control(PR_SET_PDEATHSIG, signal.SIGKILL)
            action()
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)
    return child

def walled(told):
    def inside():
        try:
            enclose()
            os.write(told, b'+')
        except Exception as error:
            os.write(told, b'-' + str(error).encode('utf-8', 'replace'))
            os._exit(1)
        os.close(told)
        work(None)
    def outside():
        try:
            separate()
        except Exception as error:
            os.write(told, b'-' + str(error).encode('utf-8', 'replace'))
            os._exit(1)
        inner = forked(inside)
        os.close(told)
        _, status = os.waitpid(inner, 0)
        os._exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))
    return forked(outside)

def started():
    why = 'this system has none that a program can set up'
    if LINUX:
        control(PR_SET_CHILD_SUBREAPER, 1)
        hear, told = os.pipe()
        child = walled(told)
        os.close(told)
        heard = os.read(hear, 4096)
        os.close(hear)
        if heard == b'+':
            return child
        why = heard[1:].decode('utf-8', 'replace')
        os.waitpid(child, 0)
    return forked(lambda: work(why))

def supervise():
    awake, wake = os.pipe()
    os.set_blocking(awake, False)
    os.set_blocking(wake, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    child = started()
    code = None
    while code is None:
        ready, _, _ = select.select([0, awake], [], [])
        if 0 in ready:
            break
        os.read(awake, 4096)
        code = reaped().get(child)
    is_alone = end_all()
    shutil.rmtree(request['base'], ignore_errors=True)
    if not is_alone:
        os.killpg(0, signal.SIGKILL)
    os._exit(0 if code is None else code)

if hasattr(os, 'fork'):
    supervise()
work('this system has none that a program can set up')
