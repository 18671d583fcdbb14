import { invalidParameters } from '../errors/service-error.js'
import { ACCOUNT } from '../table/table-arn.js'
import type { Encryption } from '../table/table-definition.js'
import type { Shape } from './shape.js'

/** The member SSESpecification of requests. */
export interface EncryptionInput {
  readonly Enabled?: boolean
  readonly SSEType?: 'AES256' | 'KMS'
  readonly KMSMasterKeyId?: string
}

export const ENCRYPTION = {
  type: 'structure',
  members: {
    Enabled: { type: 'boolean' },
    SSEType: { type: 'string', oneOf: ['AES256', 'KMS'] },
    KMSMasterKeyId: { type: 'string' },
  },
} as const satisfies Shape

/** The key of AWS for tables that name none. */
const DEFAULT_KEY = 'alias/aws/dynamodb'

/**
 * The encryption that a request asks for. It is stored and described. The engine encrypts nothing.
 *
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_SSESpecification.html
 * @returns `undefined` for a key owned by AWS, which the service does not describe.
 * @throws ServiceError
 */
export function encryptionOf(input: EncryptionInput | undefined): Encryption | undefined {
  if (input === undefined) return undefined
  const { SSEType: type, KMSMasterKeyId: key } = input
  const { Enabled: enabled = type === 'KMS' } = input
  if (type === 'AES256') throw invalidParameters('SSEType AES256 is not supported')
  if (enabled) {
    if (key !== undefined && type === undefined) {
      throw invalidParameters('SSEType KMS is required if KMSMasterKeyId is specified')
    }
    return { key: key ?? DEFAULT_KEY }
  }
  for (const [member, value] of Object.entries({ SSEType: type, KMSMasterKeyId: key })) {
    if (value !== undefined) throw invalidParameters(`${member} can not be specified if Enabled is false`)
  }
  return undefined
}

/** The encryption that a request asks for instead of the present one. @throws ServiceError when it would change nothing. */
export function changedEncryption(
  input: EncryptionInput | undefined,
  before: Encryption | undefined,
): Encryption | undefined {
  if (input === undefined) return before
  const after = encryptionOf(input)
  if (after === undefined && before === undefined) {
    throw invalidParameters('Table is already encrypted by default')
  }
  if (after !== undefined && input.KMSMasterKeyId !== undefined && after.key === before?.key) {
    throw invalidParameters(
      'Table is already encrypted with given KMSMasterKeyId. Use KMSMasterKeyId parameter if you want to change Master Key',
    )
  }
  return after
}

/** The ARN of a key that is given by its id, its alias or its ARN. */
export function encryptionKeyArn({ key }: Encryption, region: string): string {
  if (key.startsWith('arn:')) return key
  return `arn:aws:kms:${region}:${ACCOUNT}:${key.startsWith('alias/') ? key : `key/${key}`}`
}
