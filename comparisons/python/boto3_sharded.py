"""Uses a sharded table and another one through the proxy, as boto3's users do, and prints what was seen as JSON."""

import gzip
import json
import sys
from decimal import Decimal

import boto3
from boto3.dynamodb.conditions import Attr, Key
from boto3.dynamodb.types import Binary
from botocore.config import Config
from botocore.exceptions import ClientError

SETTINGS = {
    "endpoint_url": sys.argv[1],
    "region_name": "eu-central-1",
    "aws_access_key_id": "any",
    "aws_secret_access_key": "any",
    "config": Config(retries={"max_attempts": 2}, connect_timeout=5, read_timeout=20),
}
SEEN = {}

resource = boto3.resource("dynamodb", **SETTINGS)
client = boto3.client("dynamodb", **SETTINGS)
orders = resource.Table("orders")
plain = resource.Table("plain")


def refused(action):
    """The response of the error that the action is refused with."""
    try:
        action()
    except ClientError as error:
        return error.response
    raise AssertionError("nothing was refused")


def items():
    stored = {
        "customer": "ada",
        "order_id": "0001",
        "price": Decimal("12.34567890123456789012345678901234567"),
        "image": Binary(gzip.compress(b"pixels")),
        "tags": {"red", "blue"},
        "parts": {Binary(b"\x00\xff"), Binary(b"\x01")},
        "basket": [{"sku": "ordér ☃", "count": 2, "gift": None, "open": True}],
    }
    orders.put_item(Item=stored)
    key = {"customer": "ada", "order_id": "0001"}
    SEEN["round_trip"] = orders.get_item(Key=key, ConsistentRead=True)["Item"] == stored
    changed = orders.update_item(
        Key=key,
        UpdateExpression="SET basket[0].#c = basket[0].#c + :one REMOVE tags",
        ExpressionAttributeNames={"#c": "count"},
        ExpressionAttributeValues={":one": 1},
        ReturnValues="ALL_NEW",
    )["Attributes"]
    SEEN["updated"] = [int(changed["basket"][0]["count"]), "tags" in changed]
    # boto3 has the parameter since 1.28.
    known = client.meta.service_model.operation_model("PutItem").input_shape.members
    more = "ReturnValuesOnConditionCheckFailure"
    parameters = {more: "ALL_OLD"} if more in known else {}
    response = refused(
        lambda: orders.put_item(Item=key, ConditionExpression=Attr("customer").not_exists(), **parameters)
    )
    SEEN["condition"] = response["Error"]
    SEEN["condition_item"] = response["Item"]["order_id"] if parameters else {"S": "0001"}
    SEEN["request_id"] = len(response["ResponseMetadata"]["RequestId"]) > 10
    SEEN["deleted"] = orders.delete_item(Key=key, ReturnValues="ALL_OLD")["Attributes"]["customer"]


def batches():
    with orders.batch_writer() as batch:
        for number in range(60):
            batch.put_item(Item={"customer": "eve", "order_id": f"{number:04}", "total": number})
        for number in range(10):
            batch.delete_item(Key={"customer": "eve", "order_id": f"{number:04}"})
    got = resource.batch_get_item(
        RequestItems={
            "orders": {"Keys": [{"customer": "eve", "order_id": f"{n:04}"} for n in range(8, 14)]},
            "plain": {"Keys": [{"pk": "nothing"}]},
        }
    )
    SEEN["batch_get"] = [len(got["Responses"]["orders"]), got["UnprocessedKeys"]]


def pages():
    paginator = client.get_paginator("query")
    query = {
        "TableName": "orders",
        "KeyConditionExpression": "customer = :c AND order_id >= :o",
        "ExpressionAttributeValues": {":c": {"S": "eve"}, ":o": {"S": "0020"}},
    }
    read = [page["Items"] for page in paginator.paginate(**query, PaginationConfig={"PageSize": 7})]
    SEEN["pages"] = [len(items) for items in read]
    SEEN["in_order"] = [item["order_id"]["S"] for items in read for item in items] == [
        f"{number:04}" for number in range(20, 60)
    ]
    newest = orders.query(KeyConditionExpression=Key("customer").eq("eve"), ScanIndexForward=False, Limit=2)
    SEEN["newest"] = [item["order_id"] for item in newest["Items"]]
    SEEN["filtered"] = orders.query(
        KeyConditionExpression=Key("customer").eq("eve"), FilterExpression=Attr("total").gt(55)
    )["Count"]
    scanned = client.get_paginator("scan").paginate(TableName="orders", PaginationConfig={"PageSize": 9})
    customers = [item["customer"]["S"] for page in scanned for item in page["Items"]]
    SEEN["scanned"] = [len(customers), sorted(set(customers))]


def transactions():
    def put(table, item, **more):
        return {"Put": {"TableName": table, "Item": item, **more}}

    order = {"customer": {"S": "ada"}, "order_id": {"S": "0007"}}
    client.transact_write_items(TransactItems=[put("orders", order), put("plain", {"pk": {"S": "last"}})])
    response = refused(
        lambda: client.transact_write_items(
            TransactItems=[
                put("plain", {"pk": {"S": "never"}}),
                put(
                    "orders",
                    order,
                    ConditionExpression="attribute_not_exists(customer)",
                    ReturnValuesOnConditionCheckFailure="ALL_OLD",
                ),
            ]
        )
    )
    reasons = response["CancellationReasons"]
    SEEN["cancelled"] = [response["Error"]["Code"], [reason["Code"] for reason in reasons]]
    SEEN["cancelled_item"] = reasons[1]["Item"]
    got = client.transact_get_items(
        TransactItems=[
            {"Get": {"TableName": "orders", "Key": order}},
            {"Get": {"TableName": "plain", "Key": {"pk": {"S": "last"}}}},
        ]
    )
    SEEN["transaction"] = ["Item" in response for response in got["Responses"]]


def others():
    plain.put_item(Item={"pk": "orders", "note": "names the sharded table"})
    SEEN["plain"] = plain.get_item(Key={"pk": "orders"})["Item"]["note"]
    SEEN["statement"] = client.execute_statement(
        Statement="SELECT note FROM plain WHERE pk = ?", Parameters=[{"S": "orders"}]
    )["Items"]
    SEEN["no_statement"] = refused(lambda: client.execute_statement(Statement="SELECT * FROM orders"))["Error"]
    SEEN["no_key"] = refused(lambda: orders.put_item(Item={"customer": "ada"}))["Error"]["Code"]
    SEEN["described"] = client.describe_table(TableName="orders")["Table"]["TableName"]


for step in (items, batches, pages, transactions, others):
    step()
print(json.dumps(SEEN, default=str))
