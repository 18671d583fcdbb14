import { AdvisorError } from '../errors/advisor-error.js'
import type { TableDefinition } from '../table/table-definition.js'
import { cloudFormationTables, isTableResource } from './cloudformation.js'
import { tableFromRequest } from './create-table.js'
import { ignoreComments } from './ignore-comments.js'
import { isPlainObject, listIn, objectIn, type Plain, type PlainObject, textIn } from './plain.js'
import { TemplateDocument } from './template-document.js'
import { configuredTables, terraformTables } from './terraform.js'

/**
 * The tables that a text defines: CreateTable or DescribeTable as JSON (one, or several as JSON Lines or an array), a
 * CloudFormation or SAM template, a template that CDK has synthesised, a Serverless Framework file, or
 * `terraform show -json`.
 *
 * @param file the name of the file, for messages and places
 * @throws AdvisorError `template.malformed`, `template.no-tables`
 * @example
 * const text = '{"TableName":"votes","KeySchema":[{"AttributeName":"id","KeyType":"HASH"}]}'
 * console.log(readTables(text, 'votes.json')[0]?.name) // 'votes'
 */
export function readTables(text: string, file: string): readonly TableDefinition[] {
  const tables = tablesIn(text, file)
  if (tables.length > 0) return tables
  throw new AdvisorError(
    'template.no-tables',
    `${file} defines no table. It must be CreateTable as JSON, a CloudFormation or SAM template, or a Terraform plan as JSON.`,
  )
}

/** The same, and none if the text defines none. Use it for many files of which some have tables. */
export function tablesIn(text: string, file: string): readonly TableDefinition[] {
  const document = new TemplateDocument(text, file)
  const roots = Array.isArray(document.value) ? document.value : [document.value]
  const tables = roots.flatMap((root) => tablesOf(root, document))
  return ignoreComments(tables, document)
}

function tablesOf(root: Plain, document: TemplateDocument): readonly TableDefinition[] {
  if (!isPlainObject(root)) return []
  if (root.planned_values !== undefined || root.terraform_version !== undefined)
    return terraformTables(root, document)
  if (isPlainObject(objectIn(root.resource).aws_dynamodb_table)) return configuredTables(root, document)
  if (isPlainObject(root.Resources)) return cloudFormationTables(root, document)
  if (root.resources !== undefined && root.Resources === undefined) return serverlessTables(root, document)
  if (isTableResource(root))
    return cloudFormationTables({ Resources: { [baseName(document.file)]: root } }, document)
  if (Object.values(root).some(isTableResource)) return cloudFormationTables({ Resources: root }, document)
  const request = isPlainObject(root.Table) ? root.Table : root
  const given = textIn(request.TableName)
  const isRequest = given !== undefined || Array.isArray(request.AttributeDefinitions)
  if (!isRequest || listIn(request.KeySchema).length === 0) return []
  // Skeletons of requests have an empty name, or none.
  const name = given === undefined || given === '' ? baseName(document.file) : given
  const lines = document.linesOf(request)
  const where = lines === undefined ? {} : { firstLine: lines.first, lastLine: lines.last }
  return [tableFromRequest(request, name, { file: document.file, ...where })]
}

/** `orders` for `infra/orders.json`. */
function baseName(file: string): string {
  return file.replace(/^.*[\\/]/, '').replace(/\.\w+$/, '')
}

/** `resources` of a Serverless Framework file: a template, or a list of them. */
function serverlessTables(root: PlainObject, document: TemplateDocument): readonly TableDefinition[] {
  const parts = Array.isArray(root.resources) ? root.resources : [root.resources ?? null]
  return parts.flatMap((part) => cloudFormationTables(objectIn(part), document))
}
