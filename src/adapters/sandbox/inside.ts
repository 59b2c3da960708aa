// The program that runs in front of a command where there is no network but its own: it listens, and leads what comes to sockets outside.
import { findExecutable } from '../../process/command-line.js'
import { runShort } from '../../process/short.js'

/**
 * In front of the command go this, the folder of the sockets, and the ports of the machine that are led on, with commas. It sets the
 * variables by which programs find a proxy, starts the command with our own streams, and ends as it ends.
 */
export type Leader = readonly [string, ...string[]]

const SECONDS = 10
let leader: Promise<Leader> | undefined

/** Perl begins in a tenth of the time that Node takes, and comes along with git on most systems. */
export function findLeader(): Promise<Leader> {
  leader ??= lookForPerl()
  return leader
}

async function lookForPerl(): Promise<Leader> {
  const perl = findExecutable('perl', process.env)
  if (perl === null) return leaderByNode(process.execPath)
  const { ending, exitCode } = await runShort({ argv: [perl, '-c', '-e', PERL], cwd: '/', env: {}, timeoutSeconds: SECONDS, outputBytes: 64 * 1024 })
  return ending === 'exited' && exitCode === 0 ? leaderByPerl(perl) : leaderByNode(process.execPath)
}

/** It would complain of languages that this machine does not have, where the command's own errors go. */
export function leaderByPerl(perl: string): Leader {
  return ['env', 'PERL_BADLANG=0', perl, '-e', PERL, '--']
}

export function leaderByNode(node: string): Leader {
  return [node, '-e', NODE, '--']
}

const NODE = `
const net = require('node:net')
const { spawn } = require('node:child_process')
const [folder, ports, command, ...args] = process.argv.slice(1)
const lead = (socket) => (near) => {
  const far = net.connect({ path: socket, allowHalfOpen: true })
  for (const each of [near, far]) each.on('error', () => { near.destroy(); far.destroy() })
  near.pipe(far).pipe(near)
}
const listen = (name, port, host) => new Promise((resolve) => {
  const server = net.createServer({ allowHalfOpen: true }, lead(folder + '/' + name))
  server.on('error', () => resolve(0))
  server.listen(port, host, () => resolve(server.address().port))
})
const start = async () => {
  const at = 'http://127.0.0.1:' + await listen('proxy', 0, '127.0.0.1')
  for (const port of ports.split(',').filter(Boolean)) await Promise.all([listen(port, Number(port), '127.0.0.1'), listen(port, Number(port), '::1')])
  const names = { HTTP_PROXY: at, HTTPS_PROXY: at, http_proxy: at, https_proxy: at, ALL_PROXY: at, all_proxy: at, NODE_USE_ENV_PROXY: '1' }
  const near = 'localhost,127.0.0.1,::1'
  // Whoever is asked to end before it listens for that would leave the command alone.
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(name, () => child.kill(name))
  const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, ...names, NO_PROXY: near, no_proxy: near } })
  child.on('error', (error) => {
    process.stderr.write('cannot start ' + command + ': ' + error.message + '\\n')
    process.exit(error.code === 'EACCES' ? 126 : 127)
  })
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.removeAllListeners(name)
    process.exit(128 + (require('node:os').constants.signals[signal] ?? 0))
  })
}
start()
`

/**
 * One process leads, in one loop; another waits for the command. Nothing but what comes with the smallest Perl is used, and what the
 * command need not wait for is loaded beside it.
 */
const PERL = String.raw`
use strict;
use Socket qw(:DEFAULT inet_pton pack_sockaddr_in6);

my ($folder, $ports, @command) = @ARGV;
my (%ears, %flows);

sub hear {
  my ($name, $port, $six) = @_;
  socket(my $ear, $six ? AF_INET6 : AF_INET, SOCK_STREAM, 0) or return 0;
  setsockopt($ear, SOL_SOCKET, SO_REUSEADDR, 1);
  bind($ear, $six ? pack_sockaddr_in6($port, inet_pton(AF_INET6, '::1')) : pack_sockaddr_in($port, INADDR_LOOPBACK)) or return 0;
  listen($ear, 511) or return 0;
  $ears{fileno $ear} = [$ear, "$folder/$name"];
  return $six ? $port : (unpack_sockaddr_in(getsockname $ear))[0];
}

sub meet {
  my ($ear, $path) = @_;
  accept(my $near, $ear) or return;
  socket(my $far, AF_UNIX, SOCK_STREAM, 0) or return;
  connect($far, pack_sockaddr_un($path)) or return;
  fcntl($_, Fcntl::F_SETFL(), Fcntl::O_NONBLOCK()) for $near, $far;
  $flows{fileno $near} = { from => $near, to => $far, held => '', back => fileno $far };
  $flows{fileno $far} = { from => $far, to => $near, held => '', back => fileno $near };
}

sub part {
  my ($flow) = @_;
  delete @flows{fileno $flow->{from}, $flow->{back}};
}

sub take {
  my ($flow) = @_;
  my $read = sysread $flow->{from}, $flow->{held}, 65536, length $flow->{held};
  return $! == Errno::EAGAIN() || part($flow) if !defined $read;
  $flow->{ended} = 1 if $read == 0;
}

sub give {
  my ($flow) = @_;
  if (length $flow->{held}) {
    my $written = syswrite $flow->{to}, $flow->{held};
    return $! == Errno::EAGAIN() || part($flow) if !defined $written;
    substr($flow->{held}, 0, $written) = '';
  }
  return if length $flow->{held} || !$flow->{ended} || $flow->{shut};
  shutdown $flow->{to}, 1;
  $flow->{shut} = 1;
  part($flow) if $flows{$flow->{back}}{shut};
}

sub lead {
  while (1) {
    my ($read, $write) = ('', '');
    vec($read, $_, 1) = 1 for keys %ears;
    for my $flow (values %flows) {
      vec($read, fileno $flow->{from}, 1) = 1 if !$flow->{ended} && length $flow->{held} < 65536;
      vec($write, fileno $flow->{to}, 1) = 1 if length $flow->{held};
    }
    next if select($read, $write, undef, undef) < 0;
    for my $flow (values %{{%flows}}) {
      take($flow) if vec($read, fileno $flow->{from}, 1);
      give($flow) if $flows{fileno $flow->{from}};
    }
    for (keys %ears) { meet(@{$ears{$_}}) if vec($read, $_, 1) }
  }
}

my $at = 'http://127.0.0.1:' . hear('proxy', 0);
for my $port (split /,/, $ports) { hear($port, $port); hear($port, $port, 1) }
my $leading = fork;
die "cannot lead: $!\n" if !defined $leading;
if (!$leading) {
  $SIG{$_} = 'IGNORE' for qw(PIPE TERM INT HUP);
  open STDIN, '<', '/dev/null';
  open STDOUT, '>', '/dev/null';
  open STDERR, '>', '/dev/null';
  require Errno;
  require Fcntl;
  lead();
}
my ($running, $asked);
for my $name (qw(TERM INT HUP)) { $SIG{$name} = sub { $running ? kill $name, $running : ($asked = $name) } }
$running = fork;
die "cannot start: $!\n" if !defined $running;
if (!$running) {
  $SIG{$_} = 'DEFAULT' for qw(TERM INT HUP);
  $ENV{$_} = $at for qw(HTTP_PROXY HTTPS_PROXY http_proxy https_proxy ALL_PROXY all_proxy);
  $ENV{$_} = 'localhost,127.0.0.1,::1' for qw(NO_PROXY no_proxy);
  $ENV{NODE_USE_ENV_PROXY} = 1;
  delete $ENV{PERL_BADLANG};
  exec { $command[0] } @command;
  my $why = $! + 0;
  print STDERR "cannot start $command[0]: $!\n";
  exit($why == 13 ? 126 : 127);
}
%ears = ();
kill $asked, $running if $asked;
1 until waitpid($running, 0) == $running;
my $ending = $?;
kill 'KILL', $leading;
waitpid $leading, 0;
exit($ending & 127 ? 128 + ($ending & 127) : $ending >> 8);
`
