/** Does the work for each member, so many at a time; after a failure no more is begun. */
export async function concurrently<Member>(
  members: readonly Member[],
  atATime: number,
  work: (member: Member) => Promise<void>,
): Promise<void> {
  const remaining = members[Symbol.iterator]()
  let failed = false
  const worker = async () => {
    for (const member of { [Symbol.iterator]: () => remaining }) {
      if (failed) return
      await work(member).catch((error: unknown) => {
        failed = true
        throw error
      })
    }
  }
  await Promise.all(Array.from({ length: Math.min(atATime, members.length) }, worker))
}
