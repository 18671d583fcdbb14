/** What the command ends with where it was asked for something that there is not. */
export const EXIT_USAGE = 2

/** Ends the command with one sentence, which names the value, the rule and the cure. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}
