// Runs behavior trees and scripts with the C++ library BehaviorTree.CPP and
// reports what happens, so that another implementation can be compared.
//
//   runner [--timeout-ms N] < cases.jsonl > results.jsonl
//
// One JSON object per line, two kinds of cases:
//
//   {"xml": "...", "mode": "exactly_once"|"once"|"while_running",
//    "steps": ["tick", "halt", ...]}
//   {"script": "...", "vars": {"i": 3, "d": 2.5, "s": "text"}}
//
// Each case is written back on one line, with its results added. See README.md.
// Each case runs in a process of its own: a case that hangs or crashes ends alone.

#include <behaviortree_cpp/bt_factory.h>
#include <behaviortree_cpp/contrib/json.hpp>
#include <behaviortree_cpp/scripting/script_parser.hpp>

#include <fcntl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <iostream>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

using Json = nlohmann::ordered_json;
using namespace BT;

namespace {

const EnumsTable kEnums = { { "RED", 1 }, { "GREEN", 2 }, { "BLUE", 3 } };

// What the leaves did since the last step.
std::vector<std::string> events;

void log(const std::string& event) {
  events.push_back(event);
}

// ---------------------------------------------------------------- leaves

// The statuses of the successive ticks of a leaf, from the port `script`:
// "RRS" is two times RUNNING, then SUCCESS, then from the beginning. The
// position is kept as long as the tree lives.
class Script {
public:
  NodeStatus next(const TreeNode& node) {
    const auto text = node.getInput<std::string>("script");
    if(!text || text->empty()) {
      throw RuntimeError("no script: ", node.name());
    }
    const char letter = (*text)[position_++ % text->size()];
    return letter == 'R' ? NodeStatus::RUNNING :
           letter == 'S' ? NodeStatus::SUCCESS :
                           NodeStatus::FAILURE;
  }

  static PortsList ports() {
    return { InputPort<std::string>("script") };
  }

private:
  size_t position_ = 0;
};

class Act : public StatefulActionNode {
public:
  using StatefulActionNode::StatefulActionNode;

  static PortsList providedPorts() {
    return Script::ports();
  }

  NodeStatus onStart() override {
    log("start " + name());
    return script_.next(*this);
  }

  NodeStatus onRunning() override {
    log("run " + name());
    return script_.next(*this);
  }

  void onHalted() override {
    log("halt " + name());
  }

private:
  Script script_;
};

// Base is ConditionNode or SyncActionNode.
template <typename Base>
class Scripted : public Base {
public:
  using Base::Base;

  static PortsList providedPorts() {
    return Script::ports();
  }

  NodeStatus tick() override {
    log("tick " + this->name());
    return script_.next(*this);
  }

private:
  Script script_;
};

using Cond = Scripted<ConditionNode>;
using Sync = Scripted<SyncActionNode>;

// How a value that a leaf read is written in its event.
template <typename T>
std::string shown(const T& value) {
  if constexpr(std::is_same_v<T, std::string>) {
    return value;
  } else {
    return nlohmann::json(value).dump();
  }
}

// Reads the port `value`.
template <typename T>
class Reader : public SyncActionNode {
public:
  using SyncActionNode::SyncActionNode;

  static PortsList providedPorts() {
    return { InputPort<T>("value") };
  }

  NodeStatus tick() override {
    const auto value = getInput<T>("value");
    if(!value) {
      log("in " + name() + "!");
      return NodeStatus::FAILURE;
    }
    log("in " + name() + "=" + shown(*value));
    return NodeStatus::SUCCESS;
  }
};

// Copies the port `text` to the port `value`.
template <typename T>
class Writer : public SyncActionNode {
public:
  using SyncActionNode::SyncActionNode;

  static PortsList providedPorts() {
    return { InputPort<T>("text"), OutputPort<T>("value") };
  }

  NodeStatus tick() override {
    const auto text = getInput<T>("text");
    if(!text || !setOutput("value", *text)) {
      log("out " + name() + "!");
      return NodeStatus::FAILURE;
    }
    log("out " + name());
    return NodeStatus::SUCCESS;
  }
};

void registerLeaves(BehaviorTreeFactory& factory) {
  factory.registerNodeType<Act>("Act");
  factory.registerNodeType<Cond>("Cond");
  factory.registerNodeType<Sync>("Sync");
  factory.registerNodeType<Reader<std::string>>("In");
  factory.registerNodeType<Reader<int>>("InInt");
  factory.registerNodeType<Reader<double>>("InDouble");
  factory.registerNodeType<Writer<std::string>>("Out");
  factory.registerNodeType<Writer<int>>("OutInt");
  for(const auto& [name, value] : kEnums) {
    factory.registerScriptingEnum(name, value);
  }
}

// ---------------------------------------------------------------- values

// An integer is written without a point (3), a double with one (3.0); what JSON
// has no number for is a text: "<inf>", "<-inf>", "<nan>". Null: nothing, or a
// type that is not shown.
Json shownValue(const Any& value) {
  if(value.isString()) {
    return value.cast<std::string>();
  }
  if(value.castedType() == typeid(int64_t)) {
    return value.cast<int64_t>();
  }
  if(value.castedType() == typeid(uint64_t)) {
    return value.cast<uint64_t>();
  }
  if(value.castedType() == typeid(double)) {
    const double number = value.cast<double>();
    if(std::isfinite(number)) {
      return number;
    }
    return std::isnan(number) ? "<nan>" : number > 0 ? "<inf>" : "<-inf>";
  }
  return nullptr;
}

std::string shownType(const Any& value) {
  return value.isString()   ? "string" :
         value.isIntegral() ? "int" :
         value.isNumber()   ? "double" :
                              "none";
}

// The entries that have a value, sorted by name.
Json shownBoard(const Blackboard& board) {
  std::vector<std::string> names;
  for(const auto& key : board.getKeys()) {
    names.emplace_back(key);
  }
  std::sort(names.begin(), names.end());

  Json result = Json::object();
  for(const auto& name : names) {
    // a port remapped to {@x} can make an entry "@x", which nothing finds again
    const auto entry = board.getEntry(name);
    const Json value = entry ? shownValue(entry->value) : Json();
    if(!value.is_null()) {
      result[name] = value;
    }
  }
  return result;
}

std::string shortened(const std::string& message) {
  return message.substr(0, 160);
}

// ---------------------------------------------------------------- cases

Json runTree(BehaviorTreeFactory& factory, Json result) {
  // Never destroyed: the destructor of a tree halts it, and a script that then
  // throws would end the process.
  Tree* tree = nullptr;
  try {
    tree = new Tree(factory.createTreeFromText(result.at("xml").get<std::string>()));
  } catch(const std::exception& error) {
    result["error"] = shortened(error.what());
    return result;
  }

  const std::string mode = result.value("mode", "exactly_once");
  auto tick = [&]() {
    if(mode == "once") {
      return tree->tickOnce();
    }
    if(mode == "while_running") {
      return tree->tickWhileRunning(std::chrono::milliseconds(1));
    }
    return tree->tickExactlyOnce();
  };

  Json results = Json::array();
  for(const auto& step : result.at("steps")) {
    Json entry;
    events.clear();
    try {
      if(step == "halt") {
        tree->haltTree();
        entry["status"] = "IDLE";
      } else {
        entry["status"] = toStr(tick());
      }
      entry["events"] = events;
      entry["board"] = shownBoard(*tree->rootBlackboard());
    } catch(const std::exception& error) {
      entry = Json{ { "error", shortened(error.what()) }, { "events", events } };
    }
    results.push_back(entry);
    if(entry.contains("error")) {
      break;
    }
  }
  result["results"] = results;
  return result;
}

Json runScript(Json result) {
  auto enums = std::make_shared<EnumsTable>(kEnums);
  Ast::Environment environment = { Blackboard::create(), enums };
  const Json vars = result.value("vars", Json::object());
  for(const auto& [name, value] : vars.items()) {
    if(value.is_string()) {
      environment.vars->set(name, value.get<std::string>());
    } else if(value.is_number_float()) {
      environment.vars->set(name, value.get<double>());
    } else {
      environment.vars->set(name, value.get<int64_t>());
    }
  }

  const auto function = ParseScript(result.at("script").get<std::string>());
  if(!function) {
    result["parse_error"] = shortened(function.error());
    return result;
  }
  try {
    const Any value = (*function)(environment);
    result["value"] = shownValue(value);
    result["type"] = shownType(value);
  } catch(const std::exception& error) {
    result["error"] = shortened(error.what());
  }
  result["board"] = shownBoard(*environment.vars);
  return result;
}

void writeAll(int file, const std::string& text) {
  size_t done = 0;
  while(done < text.size()) {
    const ssize_t count = write(file, text.data() + done, text.size() - done);
    if(count <= 0) {
      _exit(1);
    }
    done += static_cast<size_t>(count);
  }
}

// Runs the case in a child process and returns the line to be written.
std::string runApart(BehaviorTreeFactory& factory, const std::string& line, int timeout_ms) {
  int ends[2];
  if(pipe(ends) != 0) {
    throw std::runtime_error("no pipe");
  }
  const pid_t child = fork();
  if(child == 0) {
    close(ends[0]);
    itimerval timer = {};
    timer.it_value.tv_sec = timeout_ms / 1000;
    timer.it_value.tv_usec = (timeout_ms % 1000) * 1000;
    setitimer(ITIMER_REAL, &timer, nullptr);  // SIGALRM ends the process
    const Json input = Json::parse(line);
    const Json result = input.contains("script") ? runScript(input) : runTree(factory, input);
    writeAll(ends[1], result.dump(-1, ' ', false, Json::error_handler_t::replace));
    _exit(0);
  }
  close(ends[1]);

  std::string output;
  char buffer[65536];
  ssize_t count = 0;
  while((count = read(ends[0], buffer, sizeof buffer)) > 0) {
    output.append(buffer, static_cast<size_t>(count));
  }
  close(ends[0]);

  int status = 0;
  waitpid(child, &status, 0);
  if(WIFEXITED(status) && WEXITSTATUS(status) == 0) {
    return output;
  }
  Json result = Json::parse(line);
  const bool hangs = WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;
  result["error"] = hangs ? "hangs" : "crashes";
  return result.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

int main(int count, char** arguments) {
  int timeout_ms = 2000;
  if(count == 3 && std::string(arguments[1]) == "--timeout-ms") {
    timeout_ms = std::stoi(arguments[2]);
  }

  // The library writes messages of its own to the standard output: the results
  // get a copy of it, the rest goes nowhere.
  const int output = dup(STDOUT_FILENO);
  const int nowhere = open("/dev/null", O_WRONLY);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);

  BehaviorTreeFactory factory;
  registerLeaves(factory);

  std::string line;
  while(std::getline(std::cin, line)) {
    if(!line.empty()) {
      writeAll(output, runApart(factory, line, timeout_ms) + "\n");
    }
  }
  return 0;
}
