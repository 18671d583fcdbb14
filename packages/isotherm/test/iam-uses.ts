import type { SentRequest } from './sent-requests.js'

/** What IAM checks for a request: an action on a resource, such as `orders/index/by_status`. */
export interface IamUse {
  readonly action: string
  readonly resource: string
}

const MEMBERS: Readonly<Record<string, string>> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
  Get: 'GetItem',
}

/** Transactions have no action of their own. Each member needs the action of its kind. */
export function iamUsesOf({ operation, input }: SentRequest): IamUse[] {
  const { TransactItems, RequestItems, TableName, IndexName } = input as {
    TransactItems?: Record<string, { TableName: string }>[]
    RequestItems?: object
    TableName?: string
    IndexName?: string
  }
  if (TransactItems !== undefined) {
    return TransactItems.flatMap((member) =>
      Object.entries(member).map(([kind, { TableName: resource }]) => ({
        action: `dynamodb:${MEMBERS[kind]}`,
        resource,
      })),
    )
  }
  const action = `dynamodb:${operation}`
  if (RequestItems !== undefined) return Object.keys(RequestItems).map((resource) => ({ action, resource }))
  return [{ action, resource: IndexName === undefined ? `${TableName}` : `${TableName}/index/${IndexName}` }]
}
