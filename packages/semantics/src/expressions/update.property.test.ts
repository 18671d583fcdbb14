import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AttributeValue, Item } from '../attribute-value.js'
import { equalItems } from '../equal-values.js'
import { ValidationError } from '../validation-error.js'
import { applyUpdate } from './apply-update.js'
import { type BoundUpdate, bindUpdate } from './bind-update.js'
import type { PathAst, PathStep } from './document-path.js'
import { parseUpdate } from './parse-update.js'
import { Placeholders } from './placeholders.js'
import {
  bindProjection,
  type ProjectionAst,
  parseProjection,
  printProjection,
  project,
} from './projection.js'
import { printUpdate, type SetOperandAst, type UpdateAst } from './update-ast.js'

const names = { '#a': 'a', '#p': '__proto__' }
const values: Item = {
  ':n': { N: '1' },
  ':s': { S: 's' },
  ':l': { L: [{ N: '7' }] },
  ':set': { SS: ['a', 'z'] },
}

const step: fc.Arbitrary<PathStep> = fc.oneof(
  fc.constantFrom('a', 'b', 'c', 'd').map((name) => ({ name })),
  fc.constantFrom('#a', '#p').map((placeholder) => ({ placeholder })),
)
const path: fc.Arbitrary<PathAst> = fc
  .tuple(
    step,
    fc.array(
      fc.oneof(
        step,
        fc.nat(3).map((index) => ({ index })),
      ),
      { maxLength: 2 },
    ),
  )
  .map(([first, rest]) => ({ kind: 'path', steps: [first, ...rest] }))
const placeholder = fc.constantFrom(...Object.keys(values))
const { operand } = fc.letrec<{ operand: SetOperandAst }>((tie) => ({
  operand: fc.oneof(
    { maxDepth: 2 },
    path,
    placeholder.map((placeholder) => ({ kind: 'value' as const, placeholder })),
    fc.record({ kind: fc.constant('if_not_exists' as const), path, fallback: tie('operand') }),
  ),
}))
const setValue = fc.oneof(
  operand,
  fc.record({ kind: fc.constantFrom('plus' as const, 'minus' as const), left: operand, right: operand }),
  fc.record({ kind: fc.constant('list_append' as const), first: operand, second: operand }),
)
const pathAndValue = fc.array(fc.record({ path, placeholder }), { maxLength: 2 })
const update: fc.Arbitrary<UpdateAst> = fc
  .record({
    set: fc.array(fc.record({ path, value: setValue }), { maxLength: 3 }),
    remove: fc.array(path, { maxLength: 3 }),
    add: pathAndValue,
    delete: pathAndValue,
  })
  .filter((update) => Object.values(update).some((actions) => actions.length > 0))

const scalar: fc.Arbitrary<AttributeValue> = fc.oneof(
  fc.integer({ min: -9, max: 9 }).map((number) => ({ N: String(number) })),
  fc.constantFrom('x', 'y').map((text) => ({ S: text })),
  fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 }).map((members) => ({ SS: members })),
)
const { item } = fc.letrec<{ value: AttributeValue; item: Item }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }).map((elements) => ({ L: elements })),
    tie('item').map((members) => ({ M: members })),
  ),
  item: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), tie('value'), { noNullPrototype: true }),
}))

function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof ValidationError) return undefined
    throw error
  }
}

const bind = (ast: UpdateAst): BoundUpdate | undefined =>
  attempt(() => bindUpdate(ast, new Placeholders(names, values)))

describe('an update', () => {
  it('is printed as text that reads as the same update', () => {
    fc.assert(
      fc.property(update, (ast) => {
        expect(parseUpdate(printUpdate(ast))).toEqual(ast)
      }),
    )
  })

  it('never changes the item it is given', () => {
    fc.assert(
      fc.property(update, item, (ast, item) => {
        const bound = bind(ast)
        if (bound === undefined) return
        const copy = structuredClone(item)
        attempt(() => applyUpdate(bound, item))
        expect(item).toEqual(copy)
      }),
      { numRuns: 1000 },
    )
  })

  it('comes to the same in whatever order its actions are written', () => {
    fc.assert(
      fc.property(update, item, (ast, item) => {
        const forward = bind(ast)
        const backward = bind({
          set: [...ast.set].reverse(),
          remove: [...ast.remove].reverse(),
          add: [...ast.add].reverse(),
          delete: [...ast.delete].reverse(),
        })
        expect(forward === undefined).toBe(backward === undefined)
        if (forward === undefined || backward === undefined) return
        const one = attempt(() => applyUpdate(forward, item))
        const other = attempt(() => applyUpdate(backward, item))
        expect(one).toEqual(other)
      }),
      { numRuns: 1000 },
    )
  })

  it('leaves alone the attributes that it does not name', () => {
    fc.assert(
      fc.property(update, item, (ast, item) => {
        const bound = bind(ast)
        const after = bound === undefined ? undefined : attempt(() => applyUpdate(bound, item))
        if (bound === undefined || after === undefined) return
        const named = new Set(bound.touched.map(([name]) => name))
        for (const name of Object.keys(item)) if (!named.has(name)) expect(after[name]).toBe(item[name])
        for (const name of Object.keys(after)) expect(named.has(name) || Object.hasOwn(item, name)).toBe(true)
      }),
    )
  })
})

describe('a projection', () => {
  const projection: fc.Arbitrary<ProjectionAst> = fc.array(path, { minLength: 1, maxLength: 4 })
  const boundProjection = (ast: ProjectionAst) => attempt(() => bindProjection(ast, new Placeholders(names)))

  it('is printed as text that reads as the same projection', () => {
    fc.assert(
      fc.property(projection, (ast) => {
        expect(parseProjection(printProjection(ast))).toEqual(ast)
      }),
    )
  })

  it('keeps a part of the item', () => {
    fc.assert(
      fc.property(projection, item, (ast, item) => {
        const bound = boundProjection(ast)
        if (bound !== undefined) expect(isPart({ M: project(bound, item) }, { M: item })).toBe(true)
      }),
    )
  })

  it('of what is kept keeps all of it, unless list elements have closed ranks', () => {
    fc.assert(
      fc.property(projection, item, (ast, item) => {
        const bound = boundProjection(ast)
        const hasIndex = ast.some(({ steps }) => steps.some((step) => 'index' in step))
        if (bound === undefined || hasIndex) return
        const kept = project(bound, item)
        expect(equalItems(project(bound, kept), kept)).toBe(true)
      }),
    )
  })
})

/** Whether every member of `part` is in `whole`; elements of lists may be missing, but not change their order. */
function isPart(part: AttributeValue, whole: AttributeValue): boolean {
  if ('M' in part && 'M' in whole) {
    const members = new Map(Object.entries(whole.M))
    return Object.entries(part.M).every(([name, value]) => {
      const counterpart = members.get(name)
      return counterpart !== undefined && isPart(value, counterpart)
    })
  }
  if ('L' in part && 'L' in whole) {
    const left = [...whole.L]
    return part.L.every((element) => {
      while (left.length > 0) {
        const candidate = left.shift()
        if (candidate !== undefined && isPart(element, candidate)) return true
      }
      return false
    })
  }
  return part === whole
}
