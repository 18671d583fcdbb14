import { signal } from '@preact/signals'
import type { ScenarioDescription, ScenarioList, ScenarioRequest, ScenarioRun } from '../../src/api/scenarios'

/** The scenarios that this console runs, empty if it runs none. */
export const scenarios = signal<readonly ScenarioDescription[]>([])
/** The run that there is, or was last. */
export const run = signal<ScenarioRun | undefined>(undefined)
/** Why the last request was refused. */
export const refusal = signal<string | undefined>(undefined)

const PERIOD_MILLISECONDS = 500
/** A page of another origin cannot send it. */
const OWN = { 'x-isotherm-console': '1' }

/** Asks for the list and for the latest run: at first, and when the server is back. */
export async function loadScenarios(): Promise<void> {
  const list = await ask<ScenarioList>('v1/scenarios')
  if (list === undefined) return
  scenarios.value = list.scenarios
  run.value = list.run
  if (list.run?.state === 'running') follow()
}

export async function startRun(request: ScenarioRequest): Promise<void> {
  const body = JSON.stringify(request)
  const headers = { ...OWN, 'content-type': 'application/json' }
  const started = await ask<ScenarioRun>('v1/scenarios/run', { method: 'POST', headers, body })
  if (started === undefined) return
  run.value = started
  follow()
}

export async function cancelRun(): Promise<void> {
  const cancelled = await ask<ScenarioRun>('v1/scenarios/run', { method: 'DELETE', headers: OWN })
  if (cancelled !== undefined) run.value = cancelled
}

let isFollowing = false

/** Asks until the run has ended. */
async function follow(): Promise<void> {
  if (isFollowing) return
  isFollowing = true
  while (run.value?.state === 'running') {
    await new Promise((resolve) => setTimeout(resolve, PERIOD_MILLISECONDS))
    const now = await ask<ScenarioRun>('v1/scenarios/run')
    if (now !== undefined) run.value = now
  }
  isFollowing = false
}

async function ask<Of>(path: string, init: RequestInit = {}): Promise<Of | undefined> {
  try {
    const response = await fetch(path, init)
    const body = await response.json()
    refusal.value = response.ok ? undefined : body.error.message
    return response.ok ? body : undefined
  } catch {
    // The header says that there is no connection.
    return undefined
  }
}
