import { describe, expect, it } from 'vitest'
import { parseStatement } from './parse-statement.js'

const NOT_WELL_FORMED = "Statement wasn't well formed, can't be processed: "

function statementOf(text: string) {
  return parseStatement(text).statement
}

describe('a SELECT statement', () => {
  it('has columns, a table, an index, a condition and an order', () => {
    const text = `SELECT pk, m."a b"[0], n['c'] FROM "log"."by_day" WHERE day = ? ORDER BY day DESC, sk`
    expect(parseStatement(text)).toMatchObject({
      parameterCount: 1,
      statement: {
        kind: 'select',
        columns: [['pk'], ['m', 'a b', 0], ['n', 'c']],
        table: 'log',
        index: 'by_day',
        where: { kind: 'binary', operator: '=', right: { kind: 'parameter', index: 0 } },
        order: [
          { name: 'day', descending: true },
          { name: 'sk', descending: false },
        ],
      },
    })
  })

  it('keeps everything for a star', () => {
    expect(statementOf('select * from log')).toEqual({ kind: 'select', table: 'log', order: [] })
  })

  it('binds NOT tighter than AND, and AND tighter than OR', () => {
    const select = statementOf('SELECT * FROM t WHERE a = 1 OR NOT b = 2 AND c = 3')
    expect(select).toMatchObject({
      where: {
        operator: 'or',
        left: { operator: '=' },
        right: { operator: 'and', left: { kind: 'unary', operator: 'not' }, right: { operator: '=' } },
      },
    })
  })

  it('reads tests of keywords with and without NOT', () => {
    const select = statementOf(
      'SELECT * FROM t WHERE a NOT BETWEEN 1 AND 2 AND b IN (1) AND c IS NOT MISSING',
    )
    expect(select).toMatchObject({
      where: {
        left: {
          left: { operator: 'not', operand: { kind: 'between' } },
          right: { kind: 'in', options: { kind: 'list', members: [{ text: '1' }] } },
        },
        right: { operator: 'not', operand: { kind: 'is', type: 'MISSING' } },
      },
    })
  })

  it('computes products before sums, and groups equal operators to the left', () => {
    const value = (text: string) => {
      const update = statementOf(`UPDATE t SET a = ${text}`)
      return update.kind === 'update' ? update.set[0]?.value : expect.fail('It is an update.')
    }
    expect(value('b + c * d')).toMatchObject({ operator: '+', right: { operator: '*' } })
    expect(value('b * c || d')).toMatchObject({ operator: '||', left: { operator: '*' } })
    expect(value('b - c + d')).toMatchObject({ operator: '+', left: { operator: '-' } })
    expect(value('(b - c)')).toMatchObject({ operator: '-' })
  })

  it('takes signs before a number as a part of it, and before anything else as an operator', () => {
    const where = (text: string) => {
      const select = statementOf(`SELECT * FROM t WHERE a = ${text}`)
      return select.kind === 'select' ? select.where : expect.fail('It is a select.')
    }
    for (const [text, number] of [
      ['-1', '-1'],
      ['+1', '1'],
      ['- -1', '1'],
      ['+ -1', '-1'],
    ] as const)
      expect(where(text)).toMatchObject({ right: { kind: 'number', text: number } })
    expect(where('-b')).toMatchObject({ right: { kind: 'unary', operator: '-' } })
    expect(where('+b')).toMatchObject({ right: { kind: 'unary', operator: '+' } })
  })

  it('may hold comments and end with a semicolon', () => {
    expect(statementOf('SELECT * -- all\nFROM t /* the\ntable */ ;')).toMatchObject({ table: 't' })
  })
})

describe('a statement that writes', () => {
  it('inserts a map', () => {
    expect(statementOf(`INSERT INTO "log" VALUE {'pk': 'it''s', 'n': -.5e1}`)).toMatchObject({
      kind: 'insert',
      table: 'log',
      item: {
        members: [{ value: { kind: 'string', text: "it's" } }, { value: { kind: 'number', text: '-.5e1' } }],
      },
    })
  })

  it('updates by any number of SET and REMOVE', () => {
    const text =
      'UPDATE log SET a = 1, b.c = b.c + 1 REMOVE d SET e[1] = ? WHERE pk = ? RETURNING MODIFIED NEW *'
    expect(parseStatement(text)).toMatchObject({
      parameterCount: 2,
      statement: {
        kind: 'update',
        set: [{ path: ['a'] }, { path: ['b', 'c'] }, { path: ['e', 1] }],
        remove: [['d']],
        returning: { what: 'MODIFIED', when: 'NEW' },
      },
    })
  })

  it('may name the table and the condition before what it changes', () => {
    expect(statementOf(`FROM log WHERE pk = 'a' SET b = 1`)).toMatchObject({
      kind: 'update',
      table: 'log',
      set: [{ path: ['b'], value: { text: '1' } }],
      where: { left: { path: ['pk'] } },
    })
  })

  it('deletes', () => {
    expect(statementOf(`DELETE FROM log WHERE pk = 'a' RETURNING ALL OLD *`)).toMatchObject({
      kind: 'delete',
      table: 'log',
      where: { left: { path: ['pk'] } },
      returning: { what: 'ALL', when: 'OLD' },
    })
  })

  it('has no members for the clauses that it leaves out', () => {
    expect(statementOf('UPDATE log REMOVE a')).toStrictEqual({
      kind: 'update',
      table: 'log',
      set: [],
      remove: [['a']],
    })
    expect(statementOf('DELETE FROM log')).toStrictEqual({ kind: 'delete', table: 'log' })
  })

  it('asks whether an item exists', () => {
    expect(statementOf(`EXISTS(SELECT * FROM log WHERE pk = 'a' AND b = 1)`)).toMatchObject({
      kind: 'exists',
      select: { kind: 'select', table: 'log' },
    })
  })
})

describe('a statement that is not well formed', () => {
  it.each([
    ['', 'Expected data manipulation'],
    ['SELEC * FROM t', 'Expected data manipulation'],
    ['"SELECT" * FROM t', 'Expected data manipulation'],
    ['CREATE INDEX i', 'Expected data manipulation'],
    ['DROP INDEX i', 'Expected data manipulation'],
    ['UPDATE t-1 SET a = 1', 'Expected data manipulation'],
    ['UPDATE t SET a', 'Expected assignment'],
    ['DELETE t', 'Expected keyword FROM'],
    ['SELECT * WHERE a = 1', 'Expected keyword FROM'],
    ["INSERT t VALUE {'a': 1}", 'Expected keyword INTO'],
    ['EXISTS SELECT * FROM t', 'Unexpected token after expression'],
    ['EXISTS(DELETE FROM t)', 'Unexpected term'],
    ['EXISTS(SELECT * FROM t', 'Unexpected token after expression'],
    ['SELECT * FROM t WHERE a BETWEEN 1', 'Expected AND after BETWEEN'],
    ['SELECT * FROM t WHERE a BETWEEN 1 AND', 'Missing right-hand side expression of infix operator'],
    ['SELECT * FROM t WHERE a IN [1 2]', 'Expected comma between members'],
    ["INSERT INTO t VALUE {'a' 1}", 'Expected colon after the key of a member'],
    ["INSERT INTO t VALUE {'a': 1 'b': 2}", 'Expected comma between members'],
    ['UPDATE t WHERE a = 1', 'Expected data manipulation'],
    ['SELECT * FROM t WHERE a = 1 foo', 'Unexpected token after expression'],
    ['SELECT * FROM t WHERE a = 1 e5', 'Unexpected token after expression'],
    ['SELECT * FROM t WHERE a = 1)', 'Unexpected token after expression'],
    ['DELETE FROM t WHERE a = 1 ORDER BY a', 'Unexpected token after expression'],
    ['SELECT * FROM t ORDER BY a WHERE a = 1', 'Unexpected token after expression'],
    [`INSERT INTO t x VALUE {'a': 1}`, 'Unexpected token after expression'],
    ['FROM t SET a = 1 WHERE b = 2', 'Unexpected token after expression'],
    ['SELECT * FROM t WHERE', 'Unexpected term'],
    ['SELECT * FROM t WHERE;', 'Unexpected term'],
    ['SELECT * FROM t WHERE (', 'Unexpected term'],
    ['SELECT * FROM t WHERE NOT', 'Unexpected term'],
    ['SELECT * FROM', 'Unexpected term'],
    ['SELECT * FROM t WHERE a IN ()', 'Unexpected term'],
    ['SELECT * FROM t WHERE ORDER BY a', 'Unexpected keyword'],
    ['SELECT * FROM t WHERE date = 1', 'Unexpected keyword'],
    ['SELECT * FROM t WHERE IS NULL', 'Unexpected operator'],
    ['SELECT * FROM t WHERE a = LIKE', 'Unexpected operator'],
    ['SELECT * FROM t WHERE a == 1', 'Unexpected operator'],
    ['SELECT * FROM t WHERE a = 1 AND', 'Missing right-hand side expression of infix operator'],
    ['SELECT * FROM t WHERE a IS FOO', 'Expected type name'],
    ['SELECT * FROM t WHERE a.inner = 1', 'Invalid path dot component'],
    ['DELETE FROM', 'Expected identifier for simple path'],
    ['DELETE FROM;', 'Expected identifier for simple path'],
    [`UPDATE t SET 'a' = 1`, 'Expected identifier for simple path'],
    ['SELECT * FROM t WHERE a = 1 # note', ''],
    ['SELECT * FROM t WHERE a = 1 /* note', ''],
    [`SELECT * FROM t WHERE a = 'b`, ''],
    ['SELECT * FROM t WHERE a = 1e2147483648', ''],
    ['SELECT * FROM t WHERE a = 1.5e-2147483647', ''],
  ])('%s', (text, detail) => {
    expect(() => parseStatement(text)).toThrow(expect.objectContaining({ message: NOT_WELL_FORMED + detail }))
  })

  it('is refused at a depth no value has, before the stack is', () => {
    const text = `SELECT * FROM t WHERE ${'('.repeat(2000)}a = 1${')'.repeat(2000)}`
    expect(() => parseStatement(text)).toThrow(`${NOT_WELL_FORMED}The expression has too many levels`)
  })

  it('is refused with more operators than an expression may have', () => {
    const text = `SELECT * FROM t WHERE ${Array(160).fill('a = 1').join(' AND ')}`
    expect(() => parseStatement(text)).toThrow('too many operators; operator count: 301')
  })
})

describe('a statement that asks for what DynamoDB does not do', () => {
  it.each([
    ['SELECT * FROM log x', 'Aliasing is not supported'],
    ['SELECT * FROM log AS x', 'Aliasing is not supported'],
    ['SELECT a AS b FROM log', 'Aliasing is not supported'],
    ['UPDATE log x SET a = 1', 'Aliasing is not supported'],
    ['DELETE FROM log x WHERE a = 1', 'Aliasing is not supported'],
    ['SELECT VALUE a FROM log', "Select projection doesn't support value or pivot keywords"],
    ['SELECT DISTINCT a FROM log', 'Unsupported token in expression: DISTINCT'],
    ['SELECT a.* FROM log', "Changing item's hierarchy while reading isn't supported"],
    ['SELECT COUNT(*) FROM log', 'Unexpected path component at 1:8:5'],
    ['SELECT size(a) FROM log', 'Unexpected path component at 1:8:4'],
    ['SELECT a\n, 1 FROM log', 'Unexpected path component at 2:3:1'],
    ['SELECT a[-1] FROM log', 'List index is not within the allowable range; index: [-1] at 1:11:1'],
    ['SELECT a[?] FROM log', 'Unexpected path component at 1:10:1'],
    ['SELECT a[1+1] FROM log', 'Unexpected path component at 1:11:1'],
    ['SELECT * FROM log LIMIT 1', 'Unsupported clause: LIMIT at 1:25:1'],
    ['SELECT * FROM log GROUP BY a', 'Unsupported clause: GROUP BY'],
    ['SELECT * FROM log, log2', 'Only select from a single table or index is supported.'],
    ['SELECT * FROM [1]', 'Unexpected from source'],
    ['SELECT * FROM a.b.c', 'A path may contain at most 2 components in the FROM clause'],
    ['SELECT * FROM log ORDER BY a.b', 'Argument to ORDER BY must be of type VariableReference. Type: PATH'],
    ['SELECT * FROM log WHERE a = (SELECT b FROM c)', 'Unsupported token in expression: SELECT at 1:30:6'],
    [`INSERT INTO log VALUES ('a')`, 'Unsupported operation: InsertOp'],
    [`INSERT INTO log VALUE {'a': 1} RETURNING ALL OLD *`, 'RETURNING is not supported in INSERT'],
    [
      `INSERT INTO log VALUE 'a'`,
      'Unsupported format in item expression. Please use struct format {...} to express item values for insert statement. at 1:23:3',
    ],
    [
      `INSERT INTO log.by_day VALUE {'a': 1}`,
      'FROM clause may only contain a single table name in data manipulation statements',
    ],
    ['UPDATE log.by_day SET a = 1', 'This operation is not supported on an index'],
    [
      'UPDATE log SET a = 1 WHERE b = 1 RETURNING ALL OLD a',
      "Expected '*' after ( MODIFIED | ALL ) ( NEW | OLD ) in RETURNING clause",
    ],
    [
      'UPDATE log SET a = 1 WHERE b = 1 RETURNING ALL OLD *, ALL NEW *',
      'Invalid syntax with multiple returning elements in RETURNING clause',
    ],
    [
      'DELETE FROM log WHERE a = 1 RETURNING MODIFIED OLD *',
      'Invalid returning clause: RETURNING MODIFIED OLD *. Only RETURNING ALL OLD * is allowed in DELETE statements.',
    ],
    ['DROP TABLE log', 'Unsupported operation: DropTable'],
    ['CREATE TABLE log', 'Unsupported operation: CreateTable'],
    ['a IS MISSING', 'Unsupported operation: IsType'],
    ["INSERT INTO log <<{'a': 1}>>", 'Unsupported operation: InsertOp'],
    ["INSERT INTO log {'a': 1}", 'Unsupported operation: InsertOp'],
    ['UPDATE log AS x SET a = 1', 'Aliasing is not supported'],
    ['SELECT a b FROM log', 'Aliasing is not supported'],
    ['SELECT PIVOT a AT b FROM log', "Select projection doesn't support value or pivot keywords"],
    ['SELECT * FROM log WHERE a = CASE', 'Unsupported token in expression: CASE at 1:29:4'],
    [
      'DELETE FROM log WHERE a = 1 RETURNING ALL NEW *',
      'Invalid returning clause: RETURNING ALL NEW *. Only RETURNING ALL OLD * is allowed in DELETE statements.',
    ],
  ])('%s', (text, message) => {
    expect(() => parseStatement(text)).toThrow(expect.objectContaining({ message }))
  })
})
