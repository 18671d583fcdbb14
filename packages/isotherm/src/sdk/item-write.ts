import type {
  DeleteItemCommandInput,
  DeleteItemCommandOutput,
  PutItemCommandInput,
  PutItemCommandOutput,
  UpdateItemCommandInput,
  UpdateItemCommandOutput,
} from '@aws-sdk/client-dynamodb'

/**
 * One write of one item, in the SDK's low-level form. The user of the value knows whether its keys are logical or
 * physical.
 */
export type ItemWrite =
  | { readonly operation: 'PutItem'; readonly input: PutItemCommandInput }
  | { readonly operation: 'UpdateItem'; readonly input: UpdateItemCommandInput }
  | { readonly operation: 'DeleteItem'; readonly input: DeleteItemCommandInput }

/** The output of a write. The types differ only in members that are not used here. */
export type ItemWriteOutput = PutItemCommandOutput | UpdateItemCommandOutput | DeleteItemCommandOutput

/** The primary key of the written item. For a put, the whole item. */
export function attributesOf(write: ItemWrite): PutItemCommandInput['Item'] {
  return write.operation === 'PutItem' ? write.input.Item : write.input.Key
}
