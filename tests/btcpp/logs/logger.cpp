// Writes logs of trees with the FileLogger2 of the C++ library BehaviorTree.CPP, so that another implementation can be compared.
//
//   logger FOLDER
//
// The folder has NAME.xml for each tree, and NAME.btlog is written beside it. The comment `ticks: ...` in the XML has a character
// for each step: `t` is tickExactlyOnce(), `o` is tickOnce(), `h` is haltTree().

#include <behaviortree_cpp/bt_factory.h>
#include <behaviortree_cpp/loggers/bt_file_logger_v2.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>

using namespace BT;

// The statuses of successive ticks, from the port `script`: "RRS" is RUNNING, RUNNING, SUCCESS, then from the beginning.
class Script {
public:
  NodeStatus next(const TreeNode& node) {
    const auto text = node.getInput<std::string>("script").value();
    const char letter = text[position_++ % text.size()];
    return letter == 'R' ? NodeStatus::RUNNING : letter == 'S' ? NodeStatus::SUCCESS : NodeStatus::FAILURE;
  }

private:
  size_t position_ = 0;
};

class Act : public StatefulActionNode {
public:
  using StatefulActionNode::StatefulActionNode;
  static PortsList providedPorts() { return { InputPort<std::string>("script") }; }
  NodeStatus onStart() override { return script_.next(*this); }
  NodeStatus onRunning() override { return script_.next(*this); }
  void onHalted() override {}

private:
  Script script_;
};

class Cond : public ConditionNode {
public:
  using ConditionNode::ConditionNode;
  static PortsList providedPorts() { return { InputPort<std::string>("script") }; }
  NodeStatus tick() override { return script_.next(*this); }

private:
  Script script_;
};

int main(int argc, char** argv) {
  if(argc != 2) {
    std::cerr << "logger FOLDER\n";
    return 2;
  }
  for(const auto& entry : std::filesystem::directory_iterator(argv[1])) {
    if(entry.path().extension() != ".xml") {
      continue;
    }
    std::stringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    const std::string xml = text.str();
    const auto first = xml.find("ticks: ") + 7;
    const std::string ticks = xml.substr(first, xml.find(' ', first) - first);

    BehaviorTreeFactory factory;
    factory.registerNodeType<Act>("Act");
    factory.registerNodeType<Cond>("Cond");
    factory.registerBehaviorTreeFromText(xml);
    auto tree = factory.createTree("Main");
    auto log = entry.path();
    log.replace_extension(".btlog");
    FileLogger2 logger(tree, log);
    for(const char tick : ticks) {
      if(tick == 'h') {
        tree.haltTree();
      } else if(tick == 'o') {
        tree.tickOnce();
      } else {
        tree.tickExactlyOnce();
      }
    }
    // The logger writes at its end only what its thread has taken before.
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}
