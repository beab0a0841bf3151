// The trees of the table `peers` with BehaviorTree.CPP. Usage: behaviortree_cpp flips|stays|falls|none TICKS
// Prints the trace of the agent, and the nanoseconds of all ticks.

#include <behaviortree_cpp/bt_factory.h>

#include <chrono>
#include <cstdint>
#include <iostream>
#include <map>
#include <string>

using BT::NodeStatus;

struct Agent {
    std::uint64_t sees = 1;
    std::uint64_t done = 0;
};

// A simple action must not return RUNNING.
class Stay : public BT::StatefulActionNode {
public:
    Stay(const std::string& name, const BT::NodeConfig& config, Agent* agent) : StatefulActionNode(name, config), agent(agent) {}
    static BT::PortsList providedPorts() { return {}; }
    NodeStatus onStart() override { return onRunning(); }
    NodeStatus onRunning() override {
        agent->done += 1;
        return NodeStatus::RUNNING;
    }
    void onHalted() override {}

private:
    Agent* agent;
};

// `none` is not ticked: it measures the loop.
const std::map<std::string, std::string> TREES = {
    {"flips", "<ReactiveSequence><Odd/><First/></ReactiveSequence>"},
    {"stays", "<ReactiveSequence><Odd/><Stay/></ReactiveSequence>"},
    {"falls",
     "<ReactiveSequence><Never/><Never/><First/></ReactiveSequence><ReactiveSequence><Never/><First/></ReactiveSequence>"},
    {"none", ""},
};

NodeStatus answer(bool success) {
    return success ? NodeStatus::SUCCESS : NodeStatus::FAILURE;
}

int main(int count, char** arguments) {
    if (count != 3 || TREES.count(arguments[1]) == 0) {
        std::cerr << "usage: behaviortree_cpp flips|stays|falls|none TICKS\n";
        return 1;
    }
    const std::string name = arguments[1];
    const std::uint64_t ticks = std::stoull(arguments[2]);
    Agent agent;
    BT::BehaviorTreeFactory factory;
    factory.registerSimpleCondition("Odd", [&](BT::TreeNode&) { return answer((agent.sees & 1) == 1); });
    factory.registerSimpleCondition("Never", [&](BT::TreeNode&) { return answer(agent.sees == UINT64_MAX); });
    factory.registerSimpleAction("First", [&](BT::TreeNode&) {
        agent.done += 1;
        return NodeStatus::SUCCESS;
    });
    factory.registerSimpleAction("Second", [&](BT::TreeNode&) {
        agent.done += 1000;
        return NodeStatus::SUCCESS;
    });
    factory.registerNodeType<Stay>("Stay", &agent);
    auto tree = factory.createTreeFromText(
        "<root BTCPP_format=\"4\"><BehaviorTree ID=\"main\"><ReactiveFallback>" + TREES.at(name) +
        "<Second/></ReactiveFallback></BehaviorTree></root>");
    const bool is_ticked = name != "none";
    const std::uint64_t flips = name == "flips";
    const auto began = std::chrono::steady_clock::now();
    for (std::uint64_t tick = 0; tick < ticks; ++tick) {
        if (is_ticked) {
            tree.tickExactlyOnce();
        }
        agent.sees ^= flips;
    }
    const auto elapsed = std::chrono::steady_clock::now() - began;
    std::cout << agent.done << ' ' << std::chrono::nanoseconds(elapsed).count() << '\n';
}
