import { GetItemCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { Entity, Service } from 'electrodb'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Served, serve } from './served.fixture.js'

const table = 'electro'
let served: Served

beforeAll(async () => {
  served = await serve()
  await served.client.send(
    createTable(table, ['pk', 'sk'], {
      global: { gsi1: ['gsi1pk', 'gsi1sk'], gsi2: ['gsi2pk', 'gsi2sk'] },
      local: { lsi1: 'lsi1sk' },
    }),
  )
})

afterAll(() => served.stop())

/** People and their tasks in one table, with an index that both entities share. */
function taskApp() {
  const employee = new Entity({
    model: { entity: 'employee', version: '1', service: 'taskapp' },
    attributes: {
      employeeId: { type: 'string', required: true },
      team: { type: 'string', required: true },
      title: { type: ['junior', 'senior', 'principal'] as const, required: true, default: 'junior' },
      salary: { type: 'number' },
      skills: { type: 'set', items: 'string' },
      manager: { type: 'string' },
      createdAt: { type: 'number', readOnly: true, set: () => 1_700_000_000, default: () => 1_700_000_000 },
    },
    indexes: {
      profile: {
        collection: 'assignments',
        pk: { field: 'pk', composite: ['employeeId'] },
        sk: { field: 'sk', composite: [] },
      },
      byTeam: {
        index: 'gsi1',
        pk: { field: 'gsi1pk', composite: ['team'] },
        sk: { field: 'gsi1sk', composite: ['title', 'employeeId'] },
      },
      // Sparse: it contains only people who have a manager.
      reports: {
        index: 'gsi2',
        pk: { field: 'gsi2pk', composite: ['manager'] },
        sk: { field: 'gsi2sk', composite: [] },
      },
    },
  })
  const task = new Entity({
    model: { entity: 'task', version: '1', service: 'taskapp' },
    attributes: {
      employeeId: { type: 'string', required: true },
      taskId: { type: 'string', required: true },
      due: { type: 'string', required: true },
      points: { type: 'number', default: 1 },
      comments: {
        type: 'list',
        items: { type: 'map', properties: { by: { type: 'string' }, text: { type: 'string' } } },
      },
    },
    indexes: {
      assigned: {
        collection: 'assignments',
        pk: { field: 'pk', composite: ['employeeId'] },
        sk: { field: 'sk', composite: ['taskId'] },
      },
      byDue: {
        index: 'lsi1',
        pk: { field: 'pk', composite: ['employeeId'] },
        sk: { field: 'lsi1sk', composite: ['due', 'taskId'] },
      },
    },
  })
  const app = new Service({ employee, task }, { client: served.client, table })
  return app
}

const taskId = (index: number) => `t${String(index).padStart(3, '0')}`

describe('ElectroDB', () => {
  it('creates an entity once, and refuses to create it twice', async () => {
    const { employee } = taskApp().entities
    const { data } = await employee
      .create({ employeeId: 'ada', team: 'engines', title: 'principal', salary: 10, skills: ['math'] })
      .go()
    expect(data).toMatchObject({ employeeId: 'ada', title: 'principal', createdAt: 1_700_000_000 })
    await expect(employee.create({ employeeId: 'ada', team: 'engines' }).go()).rejects.toMatchObject({
      code: 4001,
      message: expect.stringContaining('The conditional request failed'),
    })
    expect((await employee.get({ employeeId: 'ada' }).go()).data).toEqual(data)
    expect((await employee.get({ employeeId: 'nobody' }).go()).data).toBeNull()
  })

  it('updates with set, add, append, remove and conditions of its where clause', async () => {
    const { employee, task } = taskApp().entities
    await employee.put({ employeeId: 'grace', team: 'compilers', salary: 5, skills: ['cobol', 'navy'] }).go()
    const { data } = await employee
      .patch({ employeeId: 'grace' })
      .set({ title: 'senior', team: 'engines' })
      .add({ salary: 3, skills: ['clocks'] })
      .where(({ salary }, { lt }) => lt(salary, 6))
      .go({ response: 'all_new' })
    expect(data).toMatchObject({ title: 'senior', team: 'engines', salary: 8 })
    await employee
      .patch({ employeeId: 'grace' })
      .delete({ skills: ['navy'] })
      .go()
    const { data: trained } = await employee.get({ employeeId: 'grace' }).go()
    expect([...(trained?.skills ?? [])].sort()).toEqual(['clocks', 'cobol'])
    await expect(
      employee
        .patch({ employeeId: 'grace' })
        .set({ salary: 100 })
        .where(({ salary }, { lt }) => lt(salary, 6))
        .go(),
    ).rejects.toMatchObject({ code: 4001 })
    await expect(employee.patch({ employeeId: 'nobody' }).set({ salary: 1 }).go()).rejects.toMatchObject({
      code: 4001,
    })

    await task.put({ employeeId: 'grace', taskId: 't', due: '2026-01-01', comments: [] }).go()
    await task
      .patch({ employeeId: 'grace', taskId: 't' })
      .append({ comments: [{ by: 'ada', text: 'first' }] })
      .go()
    await task
      .patch({ employeeId: 'grace', taskId: 't' })
      .data(({ comments }, { set }) => set(comments[0]?.text, 'edited'))
      .remove(['points'])
      .go()
    const { data: edited } = await task.get({ employeeId: 'grace', taskId: 't' }).go()
    expect(edited?.comments).toEqual([{ by: 'ada', text: 'edited' }])
    expect(edited).not.toHaveProperty('points')
  })

  it('upserts: makes what is missing and changes what is there', async () => {
    const { task } = taskApp().entities
    const key = { employeeId: 'upsert', taskId: 't' }
    await task
      .upsert({ ...key, due: '2026-01-01' })
      .add({ points: 2 })
      .go()
    await task
      .upsert({ ...key, due: '2026-02-01' })
      .add({ points: 5 })
      .go()
    expect((await task.get(key).go()).data).toMatchObject({ due: '2026-02-01', points: 7 })
  })

  it('queries by begins, between and greater, both ways, on the table and on a local index', async () => {
    const { task } = taskApp().entities
    await task
      .put(
        Array.from({ length: 40 }, (_, index) => ({
          employeeId: 'linus',
          taskId: taskId(index),
          // Reversed, so that the index has another order than the table.
          due: `2026-03-${String(31 - (index % 30)).padStart(2, '0')}`,
          points: index,
        })),
      )
      .go()
    const ids = (found: { data: { taskId: string }[] }) => found.data.map((each) => each.taskId)
    const all = task.query.assigned({ employeeId: 'linus' })
    expect(ids(await all.go({ pages: 'all' }))).toHaveLength(40)
    expect(ids(await task.query.assigned({ employeeId: 'linus' }).begins({ taskId: 't01' }).go())).toEqual(
      Array.from({ length: 10 }, (_, index) => taskId(10 + index)),
    )
    expect(
      ids(
        await task.query
          .assigned({ employeeId: 'linus' })
          .between({ taskId: 't005' }, { taskId: 't008' })
          .go({ order: 'desc' }),
      ),
    ).toEqual(['t008', 't007', 't006', 't005'])
    expect(
      ids(
        await task.query
          .assigned({ employeeId: 'linus' })
          .gt({ taskId: 't036' })
          .where(({ points }, { ne }) => ne(points, 38))
          .go(),
      ),
    ).toEqual(['t037', 't039'])
    const due = await task.query
      .byDue({ employeeId: 'linus' })
      .between({ due: '2026-03-02', taskId: taskId(0) }, { due: '2026-03-03', taskId: taskId(99) })
      .go()
    expect(due.data.map((each) => each.due)).toEqual(['2026-03-02', '2026-03-03'])
  })

  it('pages through a query with its cursor, each item once', async () => {
    const { task } = taskApp().entities
    await task
      .put(
        Array.from({ length: 60 }, (_, index) => ({
          employeeId: 'pages',
          taskId: taskId(index),
          due: '2026-04-01',
        })),
      )
      .go()
    const seen: string[] = []
    let cursor: string | null = null
    let pages = 0
    do {
      const page: { data: { taskId: string }[]; cursor: string | null } = await task.query
        .byDue({ employeeId: 'pages' })
        .go({ limit: 7, cursor })
      seen.push(...page.data.map((each) => each.taskId))
      cursor = page.cursor
      pages += 1
    } while (cursor !== null && pages < 20)
    expect(seen).toEqual(Array.from({ length: 60 }, (_, index) => taskId(index)))
    expect(pages).toBe(9)
  })

  it('reads a collection: every entity of a partition in one query', async () => {
    const app = taskApp()
    await app.entities.employee.put({ employeeId: 'margaret', team: 'apollo' }).go()
    await app.entities.task.put({ employeeId: 'margaret', taskId: 'landing', due: '1969-07-20' }).go()
    const { data } = await app.collections.assignments({ employeeId: 'margaret' }).go()
    expect(data.employee.map((each) => each.team)).toEqual(['apollo'])
    expect(data.task.map((each) => each.taskId)).toEqual(['landing'])
  })

  it('keeps entities without the attribute out of a sparse index', async () => {
    const { employee } = taskApp().entities
    await employee.put({ employeeId: 'boss', team: 'sparse' }).go()
    await employee.put({ employeeId: 'report', team: 'sparse', manager: 'boss' }).go()
    const reports = await employee.query.reports({ manager: 'boss' }).go()
    expect(reports.data.map((each) => each.employeeId)).toEqual(['report'])
    expect((await employee.query.byTeam({ team: 'sparse' }).go()).data).toHaveLength(2)
    expect((await employee.query.byTeam({ team: 'sparse', title: 'senior' }).go()).data).toEqual([])
    const { Item } = await served.client.send(
      new GetItemCommand({
        TableName: table,
        Key: { pk: { S: '$taskapp#employeeid_boss' }, sk: { S: '$assignments#employee_1' } },
      }),
    )
    expect(Item).toBeDefined()
    expect(Item).not.toHaveProperty('gsi2pk')
  })

  it('gets and deletes many at once, more than a batch holds', async () => {
    const { task } = taskApp().entities
    const keys = Array.from({ length: 130 }, (_, index) => ({ employeeId: 'many', taskId: taskId(index) }))
    const { unprocessed } = await task.put(keys.map((key) => ({ ...key, due: '2026-05-01' }))).go()
    expect(unprocessed).toEqual([])
    const found = await task.get(keys).go({ preserveBatchOrder: true })
    expect(found.data.map((each) => each?.taskId)).toEqual(keys.map((key) => key.taskId))
    await task.delete(keys.slice(0, 100)).go()
    expect((await task.query.assigned({ employeeId: 'many' }).go({ pages: 'all' })).data).toHaveLength(30)
  })

  it('writes all of a transaction or nothing, and says which part was refused', async () => {
    const app = taskApp()
    await app.entities.employee.put({ employeeId: 'edsger', team: 'paths', salary: 10 }).go()
    const done = await app.transaction
      .write(({ employee, task }) => [
        employee.patch({ employeeId: 'edsger' }).set({ salary: 11 }).commit(),
        task.create({ employeeId: 'edsger', taskId: 'shortest', due: '1959-01-01' }).commit(),
      ])
      .go()
    expect(done.canceled).toBe(false)
    const refused = await app.transaction
      .write(({ employee, task }) => [
        employee.patch({ employeeId: 'edsger' }).set({ salary: 12 }).commit(),
        task
          .create({ employeeId: 'edsger', taskId: 'shortest', due: '1968-01-01' })
          .commit({ response: 'all_old' }),
      ])
      .go()
    expect(refused.canceled).toBe(true)
    expect(refused.data.map(({ code }) => code)).toEqual(['None', 'ConditionalCheckFailed'])
    expect(refused.data[1]?.item).toMatchObject({ due: '1959-01-01' })
    const read = await app.transaction
      .get(({ employee, task }) => [
        employee.get({ employeeId: 'edsger' }).commit(),
        task.get({ employeeId: 'edsger', taskId: 'shortest' }).commit(),
        task.get({ employeeId: 'edsger', taskId: 'longest' }).commit(),
      ])
      .go()
    expect(read.data.map(({ item }) => item)).toMatchObject([{ salary: 11 }, { due: '1959-01-01' }, null])
  })

  it('scans one entity out of a table of several, and removes with a condition', async () => {
    const { employee } = taskApp().entities
    const { data } = await employee.scan.where(({ team }, { eq }) => eq(team, 'apollo')).go({ pages: 'all' })
    expect(data.map((each) => each.employeeId)).toEqual(['margaret'])
    await expect(
      employee
        .remove({ employeeId: 'margaret' })
        .where(({ team }, { eq }) => eq(team, 'gemini'))
        .go(),
    ).rejects.toMatchObject({ code: 4001 })
    await employee.remove({ employeeId: 'margaret' }).go()
    expect((await employee.get({ employeeId: 'margaret' }).go()).data).toBeNull()
  })
})
