import { storedItem } from '../validation/stored-item.js'
import { replacingWrite } from './replacing-write.js'

export const putItem = replacingWrite('Item', storedItem)
