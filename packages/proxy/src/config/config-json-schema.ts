import { toJsonSchema } from '@valibot/to-json-schema'
import { fileSchema } from './file-schema.js'

/** The JSON Schema of the configuration, with which editors complete it. */
export function configJsonSchema(): object {
  const { $schema, ...schema } = toJsonSchema(fileSchema, {
    target: 'draft-07',
    // Rules that JSON Schema cannot express.
    ignoreActions: ['check'],
  })
  return {
    $schema,
    title: 'isotherm.yaml',
    description: 'The configuration of isotherm proxy.',
    ...schema,
  }
}
