// What a process in a sandbox does not find in its environment although any other process that we start does: ways out of it.

/** Agents of keys, buses, displays and daemons: whoever reaches one acts as the user. And proxies: the one that it may use is told it inside. */
const WAYS = /^(SSH_(AUTH_SOCK|AGENT_PID|ASKPASS)|GPG_AGENT_INFO|DBUS_.*|XDG_RUNTIME_DIR|DOCKER_HOST|CONTAINER_HOST|KUBECONFIG|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|VSCODE_.*|GIT_ASKPASS|SUDO_ASKPASS|(https?|all|no|ftp)_proxy)$/i

type Variables = Readonly<Record<string, string | undefined>>

/** What is put over the variables that every child gets: those taken out as undefined, and what the request itself sets. */
export function confinedEnvironment(environment: Variables, own: Variables): Record<string, string | undefined> {
  const hidden = Object.keys(environment).filter((name) => WAYS.test(name))
  return { ...Object.fromEntries(hidden.map((name) => [name, undefined])), ...own }
}
