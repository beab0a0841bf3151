"""The other side of tests/node/cyclone.rs: programs of ROS as Cyclone DDS has them, without code of this repository.

Repeats texts, adds numbers, counts, and publishes a time, until it is killed. The names of topics and types are those of ROS, and a request and its
response begin with the identity of the request, as in rmw_cyclonedds.
"""

import sys
from dataclasses import dataclass, field

from cyclonedds.core import ReadCondition, InstanceState, SampleState, ViewState, WaitSet
from cyclonedds.domain import DomainParticipant
from cyclonedds.idl import IdlStruct
from cyclonedds.idl.types import array, int8, int32, int64, sequence, uint8, uint32
from cyclonedds.pub import DataWriter
from cyclonedds.qos import Policy, Qos
from cyclonedds.sub import DataReader
from cyclonedds.topic import Topic
from cyclonedds.util import duration


@dataclass
class String(IdlStruct, typename="std_msgs.msg.dds_.String_"):
    data: str


@dataclass
class Time(IdlStruct, typename="builtin_interfaces.msg.dds_.Time_"):
    sec: int32
    nanosec: uint32


@dataclass
class Clock(IdlStruct, typename="rosgraph_msgs.msg.dds_.Clock_"):
    clock: Time


@dataclass
class AddRequest(IdlStruct, typename="example_interfaces.srv.dds_.AddTwoInts_Request_"):
    client: array[uint8, 8]
    number: int64
    a: int64
    b: int64


@dataclass
class AddResponse(IdlStruct, typename="example_interfaces.srv.dds_.AddTwoInts_Response_"):
    client: array[uint8, 8]
    number: int64
    sum: int64


@dataclass
class SendGoalRequest(IdlStruct, typename="example_interfaces.action.dds_.Fibonacci_SendGoal_Request_"):
    client: array[uint8, 8]
    number: int64
    goal_id: array[uint8, 16]
    order: int32


@dataclass
class SendGoalResponse(IdlStruct, typename="example_interfaces.action.dds_.Fibonacci_SendGoal_Response_"):
    client: array[uint8, 8]
    number: int64
    accepted: bool
    stamp: Time


@dataclass
class GetResultRequest(IdlStruct, typename="example_interfaces.action.dds_.Fibonacci_GetResult_Request_"):
    client: array[uint8, 8]
    number: int64
    goal_id: array[uint8, 16]


@dataclass
class GetResultResponse(IdlStruct, typename="example_interfaces.action.dds_.Fibonacci_GetResult_Response_"):
    client: array[uint8, 8]
    number: int64
    status: int8
    sequence: sequence[int32]


@dataclass
class GoalInfo(IdlStruct, typename="action_msgs.msg.dds_.GoalInfo_"):
    goal_id: array[uint8, 16]
    stamp: Time


@dataclass
class CancelGoalRequest(IdlStruct, typename="action_msgs.srv.dds_.CancelGoal_Request_"):
    client: array[uint8, 8]
    number: int64
    goal_info: GoalInfo


@dataclass
class CancelGoalResponse(IdlStruct, typename="action_msgs.srv.dds_.CancelGoal_Response_"):
    client: array[uint8, 8]
    number: int64
    return_code: int8
    goals_canceling: sequence[GoalInfo]


@dataclass
class FeedbackMessage(IdlStruct, typename="example_interfaces.action.dds_.Fibonacci_FeedbackMessage_"):
    goal_id: array[uint8, 16]
    sequence: sequence[int32]


SUCCEEDED, CANCELED = 4, 5

participant = DomainParticipant(int(sys.argv[1]))
qos = Qos(
    Policy.Reliability.Reliable(duration(milliseconds=100)),
    Policy.History.KeepLast(10),
    Policy.DataRepresentation(use_cdrv0_representation=True),
)


def writer(name, of):
    return DataWriter(participant, Topic(participant, name, of), qos=qos)


echo = writer("rt/echo", String)
clock = writer("rt/clock", Clock)
sums = writer("rr/addReply", AddResponse)
accepts = writer("rr/count/_action/send_goalReply", SendGoalResponse)
results = writer("rr/count/_action/get_resultReply", GetResultResponse)
cancels = writer("rr/count/_action/cancel_goalReply", CancelGoalResponse)
feedback = writer("rt/count/_action/feedback", FeedbackMessage)

# Orders and result requests by goal. An order of 0 goes on until it is canceled.
orders, waiting = {}, {}


def chatter(text):
    echo.write(String("echo of " + text.data))
    clock.write(Clock(Time(1234, 500_000_000)))


def add(request):
    sums.write(AddResponse(request.client, request.number, request.a + request.b))


def send_goal(request):
    orders[bytes(request.goal_id)] = request.order
    accepts.write(SendGoalResponse(request.client, request.number, request.order >= 0, Time(1, 2)))
    feedback.write(FeedbackMessage(request.goal_id, list(range(request.order))))


def get_result(request):
    order = orders[bytes(request.goal_id)]
    if order > 0:
        results.write(GetResultResponse(request.client, request.number, SUCCEEDED, list(range(order))))
    else:
        waiting[bytes(request.goal_id)] = request


def cancel_goal(request):
    info = request.goal_info
    cancels.write(CancelGoalResponse(request.client, request.number, 0, [info]))
    last = waiting.pop(bytes(info.goal_id), None)
    if last:
        results.write(GetResultResponse(last.client, last.number, CANCELED, []))


readers = []
waits = WaitSet(participant)
for name, of, handle in [
    ("rt/chatter", String, chatter),
    ("rq/addRequest", AddRequest, add),
    ("rq/count/_action/send_goalRequest", SendGoalRequest, send_goal),
    ("rq/count/_action/get_resultRequest", GetResultRequest, get_result),
    ("rq/count/_action/cancel_goalRequest", CancelGoalRequest, cancel_goal),
]:
    reader = DataReader(participant, Topic(participant, name, of), qos=qos)
    condition = ReadCondition(reader, SampleState.Any | ViewState.Any | InstanceState.Any)
    waits.attach(condition)
    readers.append((reader, condition, handle))

while True:
    waits.wait(duration(seconds=60))
    for reader, _, handle in readers:
        for sample in reader.take(10):
            # An end of a writer is a sample without data.
            if sample.sample_info.valid_data:
                handle(sample)
