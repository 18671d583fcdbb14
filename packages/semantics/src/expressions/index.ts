export { applyUpdate } from './apply-update.js'
export { assertAllUsed } from './assert-all-used.js'
export { type BoundCondition, bindCondition } from './bind-condition.js'
export { type BoundUpdate, bindUpdate } from './bind-update.js'
export { conditionPaths, updatePaths } from './bound-paths.js'
export { type Comparator, type ConditionAst, type OperandAst, printCondition } from './condition-ast.js'
export { createsItem } from './creates-item.js'
export { attributeOf, type DocumentPath, type PathAst, type PathStep, valueAt } from './document-path.js'
export {
  arrangeKeyCondition,
  bindKeyCondition,
  type KeyAttribute,
  type KeyAttributes,
  type KeyCondition,
  readKeyCondition,
  type SortCondition,
} from './key-condition.js'
export type { ExpressionParameter } from './lexer.js'
export { matches } from './matches.js'
export { parseCondition } from './parse-condition.js'
export { parseUpdate } from './parse-update.js'
export { pickAttributes } from './pick-attributes.js'
export { type AttributeNames, Placeholders } from './placeholders.js'
export {
  bindProjection,
  type Projection,
  type ProjectionAst,
  parseProjection,
  printProjection,
  project,
  projectionOf,
} from './projection.js'
export { reservedWordText } from './reserved-words.js'
export { returnedAttributes } from './returned-attributes.js'
export { printUpdate, type UpdateAst } from './update-ast.js'
export { updateChargeBytes } from './update-charge.js'
export { defineAttribute } from './write-path.js'
