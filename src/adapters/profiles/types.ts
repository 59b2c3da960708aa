// What a profile is: the prompts of a procedure's phases and the way their responses are read. It never says what comes next.

/** `failed`: it was read and is not good enough. `error`: it cannot be used. `cancelled`: whoever answered ends the session. */
export type ProfileStatus = 'success' | 'failed' | 'error' | 'cancelled'

/** A file by its path, relative to the folder agents work in, and all of its text. */
export type ProfileFile = { path: string; text: string }

/** What a response came to. What follows from it is the procedure's business. */
export type ProfileResult = {
  /** Whether it can be used, and whether it is good enough. */
  status: ProfileStatus
  /** Why, in one line. */
  note?: string
  /** Files to be written; their paths are relative to the folder agents work in. */
  files?: readonly ProfileFile[]
  /** Of planning: the plan, where it is not the response as it stands. */
  plan?: string
  /** Of a review: what is wrong, one entry each. */
  findings?: readonly string[]
}

/** Everything a prompt may be made from, and a response read with. */
export type ProfileContext = {
  /** `planning`, `generation`, `review`, `revision`, or whatever the files of a phase are called. */
  readonly phase: string
  /** 0 while the session is planning. */
  readonly iteration: number
  /** Values by name, those that were not given at their defaults. */
  readonly parameters: Readonly<Record<string, string>>
  /** The task as given. */
  readonly task: string
  /** The plan; empty before there is one. */
  readonly plan: string
  /** The last review; empty before there is one. */
  readonly review: string
  /** The last candidate, whole. */
  readonly code: readonly ProfileFile[]
}

/** `plan`: the text is the plan. `blocks`: files in blocks. `verdict`: pass or fail with findings. */
export type ReplyForm = 'plan' | 'blocks' | 'verdict'

/** How one phase is asked, and how its response is read. */
export type ProfilePhase = {
  /** Text with `{{name}}` for what it is filled with, or a function that makes it. */
  prompt: string | ((context: ProfileContext) => string)
  /** A form that is read for you, or a function that reads; without it the form that fits the phase. */
  reply?: ReplyForm | ((response: string, context: ProfileContext) => ProfileResult)
}

/** A value that a profile is given with `--param`: what it is for, whether it has to be there, and what it is where nothing is said. */
export type ProfileParameter = { description: string; required?: boolean; default?: string }

/** Prompts and reading by what the files of a phase are called, with the parameters that these are filled with. */
export type Profile = {
  name: string
  summary?: string
  parameters?: Readonly<Record<string, ProfileParameter>>
  phases: Readonly<Record<string, ProfilePhase>>
}

/** A profile that is data alone, as files say it and sessions keep it. */
export type DataProfile = Profile & { phases: Readonly<Record<string, { prompt: string; reply?: ReplyForm }>> }

/** Changes nothing; it is there for the types. */
export function defineProfile(profile: Profile): Profile {
  return profile
}

export const REPLY_FORMS: readonly ReplyForm[] = ['plan', 'blocks', 'verdict']
