import { tables } from './data'
import { view } from './view'

/** The flag with which a command reaches the tables that the page shows. */
export function endpointFlag(): string {
  return tables.value?.offers === undefined
    ? `--endpoint ${location.origin}`
    : `--region ${view.value.region}`
}
