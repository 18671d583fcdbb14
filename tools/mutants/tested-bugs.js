// Reports what came of each planted bug as soon as its tests have run, so that the results of a stopped run are kept.

let report = () => {}

/** @param onChange is called with all planted bugs as StrykerJS describes them; those that were not tested yet have no status */
export function onTested(onChange) {
  report = onChange
}

const nameOf = ({ fileName, location: { start, end }, mutatorName, replacement }) =>
  [fileName, start.line, start.column, end.line, end.column, mutatorName, replacement].join('\n')

/** In a plan, StrykerJS counts lines and columns from 0; in results, from 1. */
function asInResults(mutant) {
  const next = ({ line, column }) => ({ line: line + 1, column: column + 1 })
  const { start, end } = mutant.location
  return { ...mutant, location: { start: next(start), end: next(end) } }
}

class TestedBugs {
  #bugs = new Map()

  onMutationTestingPlanReady({ mutantPlans }) {
    for (const { mutant } of mutantPlans) this.#keep(asInResults(mutant))
    report([...this.#bugs.values()])
  }

  onMutantTested(result) {
    this.#keep(result)
    report([...this.#bugs.values()])
  }

  #keep(bug) {
    this.#bugs.set(nameOf(bug), bug)
  }
}

const create = () => new TestedBugs()
create.inject = []

export const strykerPlugins = [{ kind: 'Reporter', name: 'tested-bugs', factory: create }]
