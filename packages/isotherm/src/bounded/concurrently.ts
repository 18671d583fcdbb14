/** Processes each member, up to a number of them at a time. After a failure, no further member is started. */
export async function concurrently<Member>(
  members: readonly Member[],
  atATime: number,
  work: (member: Member) => Promise<void>,
): Promise<void> {
  // Workers that would each process one member cost more than they do.
  if (members.length <= atATime) {
    await Promise.all(members.map(work))
    return
  }
  const remaining = members.values()
  let failed = false
  const worker = async () => {
    try {
      for (let { done, value } = remaining.next(); !done && !failed; { done, value } = remaining.next()) {
        await work(value as Member)
      }
    } catch (error) {
      failed = true
      throw error
    }
  }
  const workers: Promise<void>[] = []
  while (workers.length < Math.min(atATime, members.length)) workers.push(worker())
  await Promise.all(workers)
}

/** Like {@link concurrently}, but a failure is thrown only after all work that has begun has ended. */
export async function concurrentlyToTheEnd<Member>(
  members: readonly Member[],
  atATime: number,
  work: (member: Member) => Promise<void>,
): Promise<void> {
  const begun: Promise<void>[] = []
  try {
    await concurrently(members, atATime, (member) => {
      const working = work(member)
      begun.push(working)
      return working
    })
  } finally {
    await Promise.allSettled(begun)
  }
}
