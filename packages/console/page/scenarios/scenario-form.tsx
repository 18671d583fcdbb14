import { useState } from 'preact/hooks'
import type { ScenarioDescription, ScenarioMode, ScenarioParameter } from '../../src/api/scenarios'
import { cancelRun, run, startRun } from './scenario-state'

const MODES: Readonly<Record<ScenarioMode, string>> = {
  live: 'Live on this engine: watch it on the heat map',
  rehearsal: 'On virtual time: the same figures each time',
}

/** The parameters of a scenario, and the button that starts it. */
export function ScenarioForm({ scenario }: { readonly scenario: ScenarioDescription }) {
  const [mode, setMode] = useState<ScenarioMode>(scenario.modes[0] ?? 'rehearsal')
  const [values, setValues] = useState<Readonly<Record<string, number>>>({})
  const isRunning = run.value?.state === 'running'
  const start = (event: SubmitEvent) => {
    event.preventDefault()
    startRun({ scenario: scenario.name, mode, parameters: values })
  }
  return (
    <form class="scenario-form" onSubmit={start}>
      {scenario.modes.length > 1 && (
        <label>
          How
          <select
            value={mode}
            onChange={(event) => setMode(event.currentTarget.value === 'live' ? 'live' : 'rehearsal')}
          >
            {scenario.modes.map((each) => (
              <option key={each} value={each}>
                {MODES[each]}
              </option>
            ))}
          </select>
        </label>
      )}
      <div class="parameters">
        {scenario.parameters.map((parameter) => (
          <ParameterField
            key={parameter.name}
            parameter={parameter}
            onChange={(value) => setValues({ ...values, [parameter.name]: value })}
          />
        ))}
      </div>
      <div class="actions">
        <button type="submit" class="primary" disabled={isRunning}>
          Run
        </button>
        {isRunning && (
          <button type="button" onClick={cancelRun}>
            Cancel
          </button>
        )}
        <code>isotherm run {scenario.name}</code>
      </div>
    </form>
  )
}

interface ParameterFieldProps {
  readonly parameter: ScenarioParameter
  readonly onChange: (value: number) => void
}

/** The browser checks the limits, and so does the server. */
function ParameterField({ parameter, onChange }: ParameterFieldProps) {
  const { name, flag, description, default: usual, min, max, isWhole } = parameter
  const [flagName, unit = ''] = flag.split(' ')
  return (
    <label title={`${name}: ${min} to ${max}. The flag of the command is ${flagName}.`}>
      <span>
        <b>{wordsOf(name)}</b> <small>{unit.replace(/^<(.*)>$/, '$1')}</small>
      </span>
      <input
        type="number"
        required
        defaultValue={String(usual)}
        min={min}
        max={max}
        step={isWhole ? 1 : 'any'}
        onInput={(event) => onChange(event.currentTarget.valueAsNumber)}
      />
      <small class="hint">{description}</small>
    </label>
  )
}

/** `holdSeconds` as `hold seconds`. */
function wordsOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}
