import { ScenarioError } from '../scenario-error.js'

const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
])

/** The cure for an endpoint that the first requests did not reach. */
export function endpointError(error: unknown): ScenarioError {
  if (error instanceof ScenarioError) return error
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  const code = error instanceof Error && 'code' in error ? String(error.code) : name
  if (UNREACHABLE.has(code) || name === 'TimeoutError') {
    return new ScenarioError(
      'endpoint.unreachable',
      `The endpoint cannot be reached (${message === '' ? code : message}); start it, or give the URL of one that runs.`,
      { cause: error },
    )
  }
  return new ScenarioError(
    'endpoint.refused',
    `The endpoint did not let the scenario create its tables (${name}: ${message}); check credentials, region and permissions.`,
    { cause: error },
  )
}
