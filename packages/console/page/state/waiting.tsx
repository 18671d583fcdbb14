import { connection } from './data'

/** In place of what is not there yet. */
export function Waiting() {
  const isLost = connection.value === 'lost'
  return <p class="hint">{isLost ? 'Not available until the server answers again.' : 'Loading …'}</p>
}
