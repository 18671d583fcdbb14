import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { account, add, Bank, failure, put, record } from './bank.fixture.js'

const folder = mkdtempSync(join(tmpdir(), 'isotherm-transactions-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('transactions on a store on disk', () => {
  it('survive with their tokens, each completely or not at all', { timeout: 30_000 }, async () => {
    const options = { data: join(folder, 'bank'), throttle: false }
    const bank = await Bank.open(options)
    const owners = ['ann', 'bob', 'cid', 'dan']
    await bank.transact(owners.slice(1).map((owner) => put(account(owner, 100))))
    let done = 0
    const move = async (id: number, amount: number) => {
      const [from, to] = [owners[id % 4], owners[(id + 1 + (amount % 3)) % 4]]
      if (from === undefined || to === undefined) throw new RangeError('There are four owners.')
      const actions = [add(from, -amount), add(to, amount), record(id)]
      await bank.transact(actions, { ClientRequestToken: `token-${id}` }).then(
        () => done++,
        () => {},
      )
    }
    // In rounds: of conflicting transactions at least one succeeds, however slow the disk is.
    const [rounds, workers] = [15, Array.from({ length: 8 }, (_, worker) => worker)]
    for (let round = 0; round < rounds; round++)
      await Promise.all(workers.map((worker) => move(worker * 100 + round, round)))
    await bank.transact([add('ann', 7), add('bob', -7)], { ClientRequestToken: 'last' })
    const before = await bank.everything()
    await bank.close()

    const again = Bank.reopen(options)
    const after = await again.everything()
    expect(after).toEqual(before)
    const [accounts = [], , transfers = []] = after
    expect(transfers).toHaveLength(done)
    expect(done).toBeGreaterThanOrEqual(rounds)
    expect(accounts.reduce((sum, { balance }) => sum + Number(balance?.N), 0)).toBe(400)
    await again.transact([add('ann', 7), add('bob', -7)], { ClientRequestToken: 'last' })
    expect(await again.everything()).toEqual(before)
    const other = again.transact([add('ann', 8)], { ClientRequestToken: 'last' })
    expect((await failure(other)).name).toBe('IdempotentParameterMismatchException')
    await again.close()
  })
})
