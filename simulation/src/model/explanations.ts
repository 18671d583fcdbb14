import type { Explanation, Operation, Value } from './world.js'

/** What a sequential store answers, and holds afterwards. */
export function applied(
  operation: Operation,
  value: Value,
): { readonly answer: string; readonly value: Value } {
  switch (operation.kind) {
    case 'put':
      return { answer: 'ok', value: operation.value }
    case 'increment':
      return { answer: String((value ?? 0) + 1), value: (value ?? 0) + 1 }
    case 'create':
      return value === undefined
        ? { answer: 'ok', value: operation.value }
        : { answer: 'condition failed', value }
    case 'delete':
      return { answer: value === undefined ? 'nothing' : String(value), value: undefined }
    case 'read':
      return { answer: value === undefined ? 'nothing' : String(value), value }
  }
}

/**
 * The explanations in which the operation gave this answer. Before it, any of the operations that have begun may have taken
 * effect, in any order.
 *
 * @param begun the operations that have begun and are not answered, this one among them
 * Source: Lowe: Testing for linearizability (2017), "just-in-time linearization"
 */
export function answered(
  explanations: readonly Explanation[],
  begun: ReadonlyMap<number, Operation>,
  number: number,
  answer: string,
): readonly Explanation[] {
  const kept = new Map<string, Explanation>()
  for (const explanation of closure(explanations, begun)) {
    if (explanation.answers[number] !== answer) continue
    const { [number]: _given, ...answers } = explanation.answers
    const rest = { values: explanation.values, answers }
    kept.set(textOf(rest), rest)
  }
  return [...kept.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, explanation]) => explanation)
}

/** Every explanation that follows when begun operations take effect. */
export function closure(
  explanations: readonly Explanation[],
  begun: ReadonlyMap<number, Operation>,
): readonly Explanation[] {
  const found = new Map(explanations.map((explanation) => [textOf(explanation), explanation]))
  for (const explanation of found.values()) {
    for (const [number, operation] of begun) {
      if (explanation.answers[number] !== undefined) continue
      const next = withEffect(explanation, number, operation)
      found.set(textOf(next), next)
    }
  }
  return [...found.values()]
}

function withEffect(explanation: Explanation, number: number, operation: Operation): Explanation {
  const { answer, value } = applied(operation, explanation.values[operation.item])
  const values = explanation.values.map((before, item) => (item === operation.item ? value : before))
  return { values, answers: { ...explanation.answers, [number]: answer } }
}

function textOf(explanation: Explanation): string {
  return JSON.stringify([explanation.values.map((value) => value ?? null), explanation.answers])
}
