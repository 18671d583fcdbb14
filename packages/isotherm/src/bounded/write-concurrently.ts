import { concurrently } from './concurrently.js'

/**
 * Like `concurrently`, but a failure is thrown after the members under way have ended. So nothing is written any more when a caller gets the
 * error. Reads do not wait for one another: one that hangs would hold up the error of another.
 */
export async function writeConcurrently<Member>(
  members: readonly Member[],
  atATime: number,
  work: (member: Member) => Promise<void>,
): Promise<void> {
  let failure: { readonly error: unknown } | undefined
  await concurrently(members, atATime, async (member) => {
    if (failure !== undefined) return
    try {
      await work(member)
    } catch (error) {
      failure ??= { error }
    }
  })
  if (failure !== undefined) throw failure.error
}
