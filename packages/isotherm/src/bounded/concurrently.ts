/**
 * Processes each member, up to a number of them at a time. After a failure, no further member is started, and those under way are
 * waited for. So nothing is written any more when a caller gets the error, which is the first.
 */
export async function concurrently<Member>(
  members: readonly Member[],
  atATime: number,
  work: (member: Member) => Promise<void>,
): Promise<void> {
  const remaining = members.values()
  let failure: { readonly error: unknown } | undefined
  const worker = async () => {
    for (
      let { done, value } = remaining.next();
      !done && failure === undefined;
      { done, value } = remaining.next()
    ) {
      try {
        await work(value as Member)
      } catch (error) {
        failure ??= { error }
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(atATime, members.length) }, worker))
  if (failure !== undefined) throw failure.error
}
