// Records what the Groot2Publisher of the C++ library BehaviorTree.CPP replies, so that another implementation can be compared.
//
//   publisher tree.xml > replies.jsonl
//
// One JSON object per line: {"do": "tick"}, or {"request": [parts], "reply": [parts]}, or {"notified": [parts]}, each part in hexadecimal.
// What is random or a time is zero: the id of the tree in replies, the id of notifications, and times in recordings.
// The tree is ticked with tickExactlyOnce(); {"do": "start"} ticks it in a thread, and {"do": "join"} waits for that thread.

#include <behaviortree_cpp/bt_factory.h>
#include <behaviortree_cpp/loggers/groot2_publisher.h>
#include <zmq_addon.hpp>

#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

using namespace BT;

class Act : public StatefulActionNode {
public:
  using StatefulActionNode::StatefulActionNode;
  static PortsList providedPorts() { return { InputPort<std::string>("script") }; }
  NodeStatus onStart() override { return next(); }
  NodeStatus onRunning() override { return next(); }
  void onHalted() override {}

private:
  NodeStatus next() {
    const auto text = getInput<std::string>("script").value();
    const char letter = text[position_++ % text.size()];
    return letter == 'R' ? NodeStatus::RUNNING : letter == 'S' ? NodeStatus::SUCCESS : NodeStatus::FAILURE;
  }
  size_t position_ = 0;
};

using Parts = std::vector<std::string>;

std::string list(const Parts& parts) {
  static const char* digits = "0123456789abcdef";
  std::string out = "[";
  for(size_t i = 0; i < parts.size(); i++) {
    out += i == 0 ? "\"" : ", \"";
    for(const unsigned char byte : parts[i]) {
      out += digits[byte >> 4];
      out += digits[byte & 15];
    }
    out += "\"";
  }
  return out + "]";
}

Parts received(zmq::socket_t& socket) {
  zmq::multipart_t message;
  if(!message.recv(socket)) {
    throw std::runtime_error("no message");
  }
  Parts parts;
  for(const auto& part : message) {
    parts.push_back(part.to_string());
  }
  return parts;
}

int main(int argc, char** argv) {
  if(argc != 2) {
    return 2;
  }
  std::stringstream text;
  text << std::ifstream(argv[1]).rdbuf();
  BehaviorTreeFactory factory;
  factory.registerNodeType<Act>("Act");
  factory.registerBehaviorTreeFromText(text.str());
  auto tree = factory.createTree("Main");
  Groot2Publisher publisher(tree, 23456);

  zmq::context_t context;
  zmq::socket_t requests(context, ZMQ_REQ), notifications(context, ZMQ_SUB);
  for(auto* socket : { &requests, &notifications }) {
    socket->set(zmq::sockopt::linger, 0);
    socket->set(zmq::sockopt::rcvtimeo, 2000);
  }
  requests.connect("tcp://127.0.0.1:23456");
  notifications.set(zmq::sockopt::subscribe, "");
  notifications.connect("tcp://127.0.0.1:23457");
  std::this_thread::sleep_for(std::chrono::milliseconds(200));

  uint32_t id = 0x01020304;
  auto send = [&](const Parts& parts) {
    zmq::multipart_t message;
    for(const auto& part : parts) {
      message.addstr(part);
    }
    message.send(requests);
    auto reply = received(requests);
    if(reply[0].size() == 22) {
      std::fill(reply[0].begin() + 6, reply[0].end(), 0);
    }
    if(parts[0].size() == 6 && parts[0][1] == 't') {
      for(size_t at = 0; at < reply[1].size(); at += 9) {
        std::fill_n(reply[1].begin() + at, 6, 0);
      }
    }
    if(parts[0].size() == 6 && parts[0][1] == 'r' && reply.size() == 2) {
      reply[1] = "0";
    }
    std::cout << "{\"request\": " << list(parts) << ", \"reply\": " << list(reply) << "}\n";
  };
  auto ask = [&](char type, const std::string& body = "-") {
    std::string header = { 2, type };
    header.append(reinterpret_cast<const char*>(&id), 4);
    id++;
    send(body == "-" ? Parts{ header } : Parts{ header, body });
  };
  auto mark = [](const char* what) { std::cout << "{\"do\": \"" << what << "\"}\n"; };
  auto tick = [&] {
    mark("tick");
    tree.tickExactlyOnce();
  };
  auto notified = [&] {
    auto parts = received(notifications);
    std::fill(parts[0].begin() + 2, parts[0].end(), 0);
    std::cout << "{\"notified\": " << list(parts) << "}\n";
  };
  auto hook = [](int uid, int mode, int position, bool once, const char* status) {
    std::stringstream out;
    out << "{\"enabled\":true,\"uid\":" << uid << ",\"mode\":" << mode << ",\"once\":" << (once ? "true" : "false")
        << ",\"desired_status\":\"" << status << "\",\"position\":" << position << "}";
    return out.str();
  };
  auto unlock = [](int uid, const char* status, int position, bool remove) {
    std::stringstream out;
    out << "{\"uid\":" << uid << ",\"desired_status\":\"" << status << "\",\"position\":" << position
        << ",\"remove_when_done\":" << (remove ? "true" : "false") << "}";
    return out.str();
  };

  ask('T');
  ask('S');
  ask('D');
  tick();
  ask('S');
  ask('B', "Main");
  ask('B', "Main;mover;unknown");
  ask('B', "unknown");
  tick();
  ask('S');
  ask('B', "mover;Main");
  tick();
  tick();
  ask('S');
  // Errors.
  send({ "abc" });
  ask('Z');
  ask('B');
  ask('I');
  ask('I', "{");
  ask('I', "{\"uid\":5,\"position\":0}");
  ask('U', unlock(5, "SUCCESS", 0, false));
  ask('R', "{\"uid\":5,\"position\":0}");
  // A replaced status, once.
  ask('I', hook(5, 1, 0, true, "FAILURE"));
  ask('D');
  tick();
  notified();
  ask('S');
  ask('D');
  // Several hooks, and one of a node that does not exist.
  ask('I', "[" + hook(4, 1, 0, false, "SUCCESS") + "," + hook(99, 1, 0, false, "SUCCESS") + "]");
  ask('D');
  tick();
  notified();
  ask('S');
  ask('X');
  ask('D');
  tick();
  ask('R', "{\"uid\":4,\"position\":0}");
  ask('D');
  ask('S');
  tree.haltTree();
  mark("halt");
  ask('S');
  // A breakpoint.
  ask('I', hook(5, 0, 0, false, "SKIPPED"));
  for(const auto* status : { "FAILURE", "SUCCESS", "SKIPPED" }) {
    mark("start");
    std::thread thread([&] { tree.tickExactlyOnce(); });
    notified();
    ask('S');
    ask('U', unlock(5, status, 0, status[1] == 'K'));
    thread.join();
    mark("join");
    ask('S');
    ask('D');
    tree.haltTree();
    mark("halt");
  }
  // A breakpoint after the tick.
  ask('I', hook(4, 0, 1, false, "SKIPPED"));
  {
    mark("start");
    std::thread thread([&] { tree.tickExactlyOnce(); });
    notified();
    ask('S');
    ask('A');
    thread.join();
    mark("join");
    ask('S');
    ask('D');
  }
  // A recording.
  ask('r', "start");
  tick();
  tick();
  ask('t');
  ask('t');
  ask('r', "stop");
  tick();
  ask('t');
  return 0;
}
