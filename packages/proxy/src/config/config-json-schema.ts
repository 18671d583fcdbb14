import { z } from 'zod'
import { proxyConfig } from './proxy-config.js'

/** The JSON Schema of the configuration, with which editors complete it. */
export function configJsonSchema(): object {
  const { $schema, ...schema } = z.toJSONSchema(proxyConfig, { target: 'draft-7', io: 'input' })
  return {
    $schema,
    title: 'isotherm.yaml',
    description: 'The configuration of isotherm proxy.',
    ...schema,
  }
}
