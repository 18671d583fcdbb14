/** The table's name, where a request may also give its ARN. */
export function tableNameOf(nameOrArn: unknown): string | undefined {
  if (typeof nameOrArn !== 'string') return undefined
  if (!nameOrArn.startsWith('arn:')) return nameOrArn
  return /:table\/([^/]+)/.exec(nameOrArn)?.[1]
}
