import { checkKey } from '../validation/key-checks.js'
import { replacingWrite } from './replacing-write.js'

export const deleteItem = replacingWrite('Key', (table, key) => {
  checkKey(table.definition.schema, key)
  return undefined
})
