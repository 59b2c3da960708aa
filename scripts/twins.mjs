// The honest twins of hostile agents: one for each thing that is done honestly.
export function twinsOf(agents) {
  const workOf = ({ twin, project }) => `${twin ?? project.honest}\n${project.gate}`
  return agents.filter((agent, at) => agents.findIndex((other) => workOf(other) === workOf(agent)) === at)
}
