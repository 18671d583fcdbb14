import { SeededRandom } from '@isotherm/runtime'
import { queue, queueTable } from 'isotherm/queue'
import { type DirectoryWork, defineDirectory, directory, directoryTable } from 'isotherm/search'
import { expect, it } from 'vitest'
import { MeasuredEngine } from './measured-engine.js'

const CONTACTS = 10_000
const WORKERS_THAT_END = 4
const definition = defineDirectory({
  table: 'contacts',
  fields: { name: { required: true, search: 'none' } },
  links: { category: {} },
})
const JOBS = { table: 'jobs', partitionKey: 'id' }

it('a rename reaches ten thousand items, by workers that end in the middle of it', async () => {
  const engine = new MeasuredEngine()
  const { clock, client } = engine
  const open = (seed: number) => {
    const random = new SeededRandom(seed)
    const jobs = queue<DirectoryWork>(client, { ...JOBS, clock, random, lease: '5s' })
    return { jobs, contacts: directory(client, definition, { jobs, clock, random }) }
  }
  await clock.run(async () => {
    await engine.create(directoryTable(definition))
    await engine.create(queueTable(JOBS))
    const { contacts, jobs } = open(1)
    const acme = contacts.tenant('acme')
    await acme.setTarget('category', 'vip', 'Partners')
    await acme.import(
      Array.from({ length: CONTACTS }, (_, at) => ({
        id: `c${at}`,
        createdAt: at,
        fields: { name: `Person ${at}` },
        links: { category: ['vip'] },
      })),
    )
    await acme.setTarget('category', 'vip', 'Key accounts')
    let ended = 0
    for (let seed = 2, left = 1; left > 0; seed++) {
      const worker = open(seed)
      const stop = new AbortController()
      // It stops in the middle of a page, and gives its operation back.
      if (ended < WORKERS_THAT_END) clock.sleep(1_000).then(() => stop.abort())
      await worker.jobs.work(worker.contacts.handle, {
        untilEmpty: true,
        signal: stop.signal,
        stopTimeout: 0,
      })
      if (stop.signal.aborted) ended += 1
      await clock.sleep(10_000)
      const { due, later } = await jobs.stats()
      left = due + later
    }
    expect(ended).toBe(WORKERS_THAT_END)
    expect(await contacts.check()).toMatchObject({ compared: CONTACTS, missing: 0, extra: 0, outdated: 0 })
    expect((await acme.search('partners')).hits).toEqual([])
    const page = await acme.search('key acc')
    expect(page.hits).toHaveLength(100)
    expect(page.hits[0]?.item).toMatchObject({
      id: 'c9999',
      links: { category: [{ id: 'vip', name: 'Key accounts' }] },
    })
    expect((await acme.list({ linkedTo: { category: 'vip' } })).items).toHaveLength(100)
  })
}, 600_000)
