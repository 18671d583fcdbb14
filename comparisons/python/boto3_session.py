"""Uses an endpoint as boto3's users do, and prints what was seen as JSON: the test beside it says what is expected."""

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
streams = boto3.client("dynamodbstreams", **SETTINGS)


def refused(action):
    """The code and the rest of the error that the action is refused with."""
    try:
        action()
    except ClientError as error:
        return error.response
    raise AssertionError("nothing was refused")


def tables():
    table = resource.create_table(
        TableName="movies",
        BillingMode="PAY_PER_REQUEST",
        KeySchema=[
            {"AttributeName": "year", "KeyType": "HASH"},
            {"AttributeName": "title", "KeyType": "RANGE"},
        ],
        AttributeDefinitions=[
            {"AttributeName": "year", "AttributeType": "N"},
            {"AttributeName": "title", "AttributeType": "S"},
            {"AttributeName": "genre", "AttributeType": "S"},
        ],
        GlobalSecondaryIndexes=[
            {
                "IndexName": "by_genre",
                "KeySchema": [
                    {"AttributeName": "genre", "KeyType": "HASH"},
                    {"AttributeName": "title", "KeyType": "RANGE"},
                ],
                "Projection": {"ProjectionType": "ALL"},
            }
        ],
        StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
        Tags=[{"Key": "team", "Value": "films"}],
    )
    table.wait_until_exists()
    table.reload()
    SEEN["status"] = table.table_status
    SEEN["tables"] = [each.name for each in resource.tables.all()]
    client.update_time_to_live(
        TableName="movies", TimeToLiveSpecification={"Enabled": True, "AttributeName": "expires"}
    )
    SEEN["ttl"] = client.describe_time_to_live(TableName="movies")["TimeToLiveDescription"]
    client.tag_resource(ResourceArn=table.table_arn, Tags=[{"Key": "stage", "Value": "test"}])
    client.untag_resource(ResourceArn=table.table_arn, TagKeys=["team"])
    SEEN["tags"] = client.list_tags_of_resource(ResourceArn=table.table_arn)["Tags"]
    return table


def items(table):
    movie = {
        "year": 1979,
        "title": "Alien",
        "rating": Decimal("8.5"),
        "crew": {"Ripley", "Ash"},
        "poster": b"\x00\xff",
        "info": {"cast": ["Weaver", None, True]},
    }
    table.put_item(Item=movie)
    read = table.get_item(Key={"year": 1979, "title": "Alien"}, ConsistentRead=True)["Item"]
    SEEN["round_trip"] = read == {**movie, "poster": Binary(movie["poster"])}
    updated = table.update_item(
        Key={"year": 1979, "title": "Alien"},
        UpdateExpression="SET rating = rating + :more, info.#place = :place REMOVE poster ADD crew :crew",
        ExpressionAttributeNames={"#place": "place"},
        ExpressionAttributeValues={":more": Decimal("0.25"), ":place": "space", ":crew": {"Jones"}},
        ConditionExpression=Attr("rating").lt(9) & Attr("poster").exists(),
        ReturnValues="ALL_NEW",
    )["Attributes"]
    SEEN["updated"] = [str(updated["rating"]), sorted(updated["crew"]), updated["info"]["place"], "poster" in updated]
    failed = refused(
        lambda: table.put_item(
            Item={"year": 1979, "title": "Alien"}, ConditionExpression=Attr("title").not_exists()
        )
    )
    SEEN["condition"] = failed["Error"]
    SEEN["invalid"] = refused(lambda: table.get_item(Key={"year": "1979"}))["Error"]


def pages(table):
    with table.batch_writer() as batch:
        for index in range(130):
            batch.put_item(Item={"year": 2000 + index % 2, "title": f"Movie {index:03}", "genre": "drama" if index % 10 == 0 else "comedy"})
        batch.delete_item(Key={"year": 2000, "title": "Movie 000"})
    SEEN["batch"] = table.query(KeyConditionExpression=Key("year").eq(2000), Select="COUNT")["Count"]
    SEEN["begins"] = [
        each["title"]
        for each in table.query(
            KeyConditionExpression=Key("year").eq(2001) & Key("title").begins_with("Movie 00"), ScanIndexForward=False
        )["Items"]
    ]
    SEEN["index"] = [
        each["title"]
        for each in table.query(
            IndexName="by_genre",
            KeyConditionExpression=Key("genre").eq("drama") & Key("title").between("Movie 050", "Movie 080"),
        )["Items"]
    ]
    scan = client.get_paginator("scan")
    numbers = [page["Count"] for page in scan.paginate(TableName="movies", PaginationConfig={"PageSize": 50})]
    SEEN["scanned"] = [sum(numbers), max(numbers)]
    query = client.get_paginator("query").paginate(
        TableName="movies",
        KeyConditionExpression="#year = :year",
        ExpressionAttributeNames={"#year": "year"},
        ExpressionAttributeValues={":year": {"N": "2001"}},
        PaginationConfig={"PageSize": 8, "MaxItems": 20},
    )
    SEEN["limited"] = len(query.build_full_result()["Items"])
    got = resource.batch_get_item(
        RequestItems={"movies": {"Keys": [{"year": 1979, "title": "Alien"}, {"year": 1, "title": "none"}]}}
    )
    SEEN["batch_get"] = [[each["title"] for each in got["Responses"]["movies"]], got["UnprocessedKeys"]]


def transactions():
    def write(title, token):
        return client.transact_write_items(
            ClientRequestToken=token,
            TransactItems=[
                {"Put": {"TableName": "movies", "Item": {"year": {"N": "1986"}, "title": {"S": title}}}},
                {
                    "ConditionCheck": {
                        "TableName": "movies",
                        "Key": {"year": {"N": "1979"}, "title": {"S": "Alien"}},
                        "ConditionExpression": "attribute_exists(rating)" if title == "Aliens" else "rating < :one",
                        **({} if title == "Aliens" else {"ExpressionAttributeValues": {":one": {"N": "1"}}}),
                    }
                },
            ],
        )

    write("Aliens", "token")
    write("Aliens", "token")
    SEEN["mismatch"] = refused(lambda: write("Predator", "token"))["Error"]["Code"]
    cancelled = refused(lambda: write("Predator", "another"))
    SEEN["cancelled"] = [cancelled["Error"]["Code"], [each["Code"] for each in cancelled["CancellationReasons"]]]
    read = client.transact_get_items(
        TransactItems=[
            {"Get": {"TableName": "movies", "Key": {"year": {"N": "1986"}, "title": {"S": title}}}}
            for title in ("Aliens", "Predator")
        ]
    )
    SEEN["transaction"] = [each.get("Item", {}).get("title") for each in read["Responses"]]


def partiql():
    client.execute_statement(
        Statement='INSERT INTO "movies" VALUE {\'year\': ?, \'title\': ?}', Parameters=[{"N": "1999"}, {"S": "Matrix"}]
    )
    SEEN["partiql"] = client.execute_statement(
        Statement='SELECT title FROM "movies" WHERE "year" = ?', Parameters=[{"N": "1999"}]
    )["Items"]


def changes(table):
    arn = streams.list_streams(TableName="movies")["Streams"][0]["StreamArn"]
    SEEN["stream"] = arn == table.latest_stream_arn
    records = []
    for shard in streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"]:
        iterator = streams.get_shard_iterator(
            StreamArn=arn, ShardId=shard["ShardId"], ShardIteratorType="TRIM_HORIZON"
        )["ShardIterator"]
        while iterator:
            page = streams.get_records(ShardIterator=iterator, Limit=100)
            records += page["Records"]
            iterator = page.get("NextShardIterator") if page["Records"] else None
    alien = [each for each in records if each["dynamodb"]["Keys"]["title"]["S"] == "Alien"]
    SEEN["changes"] = [each["eventName"] for each in alien]
    SEEN["images"] = [alien[1]["dynamodb"]["OldImage"]["rating"], alien[1]["dynamodb"]["NewImage"]["rating"]]
    SEEN["records"] = len(records)


def farewell(table):
    table.delete()
    table.wait_until_not_exists()
    SEEN["gone"] = refused(lambda: client.describe_table(TableName="movies"))["Error"]


movies = tables()
items(movies)
pages(movies)
transactions()
partiql()
changes(movies)
farewell(movies)
json.dump(SEEN, sys.stdout, default=str)
