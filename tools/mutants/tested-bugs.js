// Tells what came of each planted bug as soon as its tests have run, so that a run which is stopped is not lost.

let told = () => {}

/** @param onChange is called with all planted bugs as StrykerJS describes them; those that were not tested yet have no status */
export function tellOfTested(onChange) {
  told = onChange
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
    told([...this.#bugs.values()])
  }

  onMutantTested(result) {
    this.#keep(result)
    told([...this.#bugs.values()])
  }

  #keep(bug) {
    this.#bugs.set(nameOf(bug), bug)
  }
}

const create = () => new TestedBugs()
create.inject = []

export const strykerPlugins = [{ kind: 'Reporter', name: 'tested-bugs', factory: create }]
