// libtorch.cpp - the first result of a TorchScript file in a new process: libtorch model.pt input.raw extent...
// In: float32 elements, row-major. Out: the first element of the result, so that it is computed.
#include <ATen/Parallel.h>
#include <torch/script.h>

#include <fstream>
#include <iostream>

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  torch::NoGradGuard guard;
  at::set_num_threads(1);
  std::vector<int64_t> shape;
  for (int i = 3; i < argc; i++) shape.push_back(std::stoll(argv[i]));
  torch::Tensor input = torch::empty(shape);
  std::ifstream file(argv[2], std::ios::binary);
  file.read(static_cast<char *>(input.data_ptr()), static_cast<std::streamsize>(input.nbytes()));
  torch::jit::Module module = torch::jit::load(argv[1]);
  torch::Tensor result = module.forward({input}).toTensor();
  std::cout << result.flatten()[0].item<float>() << "\n";
  return 0;
}
