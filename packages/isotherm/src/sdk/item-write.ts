import type {
  DeleteItemCommandInput,
  DeleteItemCommandOutput,
  PutItemCommandInput,
  PutItemCommandOutput,
  UpdateItemCommandInput,
  UpdateItemCommandOutput,
} from '@aws-sdk/client-dynamodb'

/** One write of one item, in the SDK's low-level form; whether its keys are logical or physical, its user knows. */
export type ItemWrite =
  | { readonly operation: 'PutItem'; readonly input: PutItemCommandInput }
  | { readonly operation: 'UpdateItem'; readonly input: UpdateItemCommandInput }
  | { readonly operation: 'DeleteItem'; readonly input: DeleteItemCommandInput }

/** What a write answers; only the capacity and the attributes differ in shape, and they do not. */
export type ItemWriteOutput = PutItemCommandOutput | UpdateItemCommandOutput | DeleteItemCommandOutput

/** The primary key of the written item, and of a put everything else in it too. */
export function attributesOf(write: ItemWrite): PutItemCommandInput['Item'] {
  return write.operation === 'PutItem' ? write.input.Item : write.input.Key
}
