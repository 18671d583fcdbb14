import { useState } from 'preact/hooks'
import type { ScenarioDescription } from '../../src/api/scenarios'
import { RunView } from './run-view'
import { ScenarioForm } from './scenario-form'
import { refusal, run, scenarios } from './scenario-state'

/** Runs a scenario, and shows before and after side by side. */
export function ScenariosView() {
  const [chosen, choose] = useState<string | undefined>(undefined)
  const list = scenarios.value
  const current = list.find(({ name }) => name === (chosen ?? run.value?.scenario)) ?? list[0]
  if (current === undefined) return <p class="hint large">This console runs no scenarios.</p>
  return (
    <div class="scenarios">
      <ScenarioChoice list={list} current={current} onChoose={choose} />
      <ScenarioForm key={current.name} scenario={current} />
      {refusal.value !== undefined && (
        <p class="failure" role="alert">
          {refusal.value}
        </p>
      )}
      {run.value?.scenario === current.name && <RunView run={run.value} />}
    </div>
  )
}

interface ScenarioChoiceProps {
  readonly list: readonly ScenarioDescription[]
  readonly current: ScenarioDescription
  readonly onChoose: (name: string) => void
}

function ScenarioChoice({ list, current, onChoose }: ScenarioChoiceProps) {
  return (
    <div class="scenario-choice">
      <label>
        Scenario
        <select value={current.name} onChange={(event) => onChoose(event.currentTarget.value)}>
          {list.map(({ name, title }) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <p class="hint">{sentence(current.description)}</p>
    </div>
  )
}

/** Descriptions are written for the help of a command. */
function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
