"""The list of what PyTorch has and tsm has not.

A module stands with what to do instead, and below it the names that libraries need at import. A name alone is a
stand-in; `name@` is a decorator that gives its function back; `name=False`, `=0` or `=None` is a function that says so;
`name:2` is a number.
Holds: a name here has no meaning elsewhere in tsm; a file of tsm with a module's name comes before the table.
"""

from __future__ import annotations

from typing import NamedTuple


class Absent(NamedTuple):
    """A module of the table: what to do instead; its names, each with what stands behind it above."""

    hint: str
    names: dict[str, str]


_TRAINING = "gradients are not computed yet; train in PyTorch and take the weights over with load_state_dict"
_ONE_PROCESS = "programs run in one process; run several, or several threads with an instance each"
_COMPLEX = "tensors have no complex dtypes"
_SPARSE = "tensors are dense"
_QUANTISED = "there are no quantised tensors; nn.to_mixed keeps weights in bfloat16"
_ONE_DEVICE = "everything runs on the CPU"
_GRAPHS = "print(scripted.graph) shows a program; tsm.script and tsm.trace make one"
_LAZY = "give the number of input features"
_HOOKS = "tensors have no subclasses with operators of their own"

_TABLE = f"""
: docs/ops.md lists all operators
  ScriptObject ScriptDict ScriptList ScriptClass SymInt SymFloat SymBool Stream Event layout memory_format qscheme
  TensorType ListType DictType OptionalType TupleType IntType FloatType BoolType StringType NumberType UnionType
  NoneType ClassType AnyType Argument FunctionSchema OutOfMemoryError AcceleratorError Graph Node Value Block
  UntypedStorage TypedStorage FloatStorage DoubleStorage LongStorage IntStorage ByteStorage BoolStorage HalfStorage
  BFloat16Storage ShortStorage CharStorage sparse_coo sparse_csr sparse_csc sparse_bsr sparse_bsc jagged qint8 quint8
  qint32 quint4x2 quint2x4 per_channel_affine per_tensor_affine per_channel_symmetric per_tensor_symmetric Tag
  DispatchKey channels_last_3d HalfTensor ScriptMethod compile
  PyTorchFileReader PyTorchFileWriter
accelerator: {_ONE_DEVICE}
  is_available=False device_count=0 current_accelerator=None synchronize=None empty_cache=None
amp.grad_scaler: {_TRAINING}
  GradScaler OptState
ao: {_QUANTISED}
ao.nn: {_QUANTISED}
ao.nn.quantized: {_QUANTISED}
  Linear Conv2d
ao.quantization: {_QUANTISED}
  QuantStub DeQuantStub FakeQuantize default_qconfig get_default_qconfig prepare convert quantize_dynamic QConfig
amp: {_TRAINING}
  GradScaler
autograd: {_TRAINING}
  backward grad gradcheck gradgradcheck detect_anomaly set_detect_anomaly set_multithreading_enabled
autograd.forward_ad: {_TRAINING}
  dual_level make_dual unpack_dual
autograd.function: {_TRAINING}
  InplaceFunction NestedIOFunction
autograd.functional: {_TRAINING}
  vjp jvp jacobian hessian vhp hvp
autograd.grad_mode: {_TRAINING}
autograd.graph: {_TRAINING}
  Node saved_tensors_hooks save_on_cpu disable_saved_tensors_hooks
autograd.variable: {_TRAINING}
cpu: {_ONE_DEVICE}
  Stream is_available=False
cuda: {_ONE_DEVICE}
  Stream Event CUDAGraph StreamContext FloatTensor DoubleTensor HalfTensor LongTensor IntTensor ByteTensor BoolTensor
  ShortTensor CharTensor BFloat16Tensor OutOfMemoryError device_of device stream graph current_stream default_stream
  is_bf16_supported=False is_current_stream_capturing=False memory_allocated=0 max_memory_allocated=0
  memory_reserved=0 max_memory_reserved=0 reset_peak_memory_stats=None ipc_collect=None CudaError current_device
  get_device_name get_device_properties get_device_capability set_device synchronize=None mem_get_info nvtx
compiler: tsm.script compiles
  allow_in_graph@ assume_constant_result@ substitute_in_graph@ cudagraph_mark_step_begin=None set_stance reset=None
cuda.amp: {_TRAINING}
  GradScaler custom_fwd@ custom_bwd@
cuda.nvtx: {_ONE_DEVICE}
  range_push range_pop range mark
distributed: {_ONE_PROCESS}
  ProcessGroup ReduceOp Work Store TCPStore FileStore HashStore Backend Reducer group GroupMember GradBucket
  is_available=False is_initialized=False is_nccl_available=False is_gloo_available=False is_mpi_available=False
  is_torchelastic_launched=False get_rank get_world_size init_process_group destroy_process_group new_group barrier
  all_reduce all_gather all_gather_object all_gather_into_tensor broadcast broadcast_object_list reduce reduce_scatter
  reduce_scatter_tensor scatter gather gather_object scatter_object_list all_to_all all_to_all_single send recv isend
  irecv get_backend get_process_group_ranks monitored_barrier DeviceMesh init_device_mesh get_global_rank
distributed._composable: {_ONE_PROCESS}
distributed._composable.fsdp: {_ONE_PROCESS}
  fully_shard FSDPModule MixedPrecisionPolicy CPUOffloadPolicy OffloadPolicy
distributed._functional_collectives: {_ONE_PROCESS}
  AsyncCollectiveTensor all_reduce all_gather_tensor
distributed._shard: {_ONE_PROCESS}
distributed._shard.sharded_tensor: {_ONE_PROCESS}
  ShardedTensor Shard ShardedTensorMetadata
distributed._tensor: {_ONE_PROCESS}
  DTensor DeviceMesh Replicate Shard Placement distribute_tensor
distributed.algorithms: {_ONE_PROCESS}
distributed.algorithms._checkpoint: {_ONE_PROCESS}
distributed.algorithms._checkpoint.checkpoint_wrapper: {_ONE_PROCESS}
  checkpoint_wrapper CheckpointImpl apply_activation_checkpointing CheckpointWrapper
distributed.algorithms.ddp_comm_hooks: {_ONE_PROCESS}
  default_hooks powerSGD_hook post_localSGD_hook
distributed.algorithms.ddp_comm_hooks.default_hooks: {_ONE_PROCESS}
distributed.algorithms.join: {_ONE_PROCESS}
  Join Joinable JoinHook
distributed.algorithms.model_averaging: {_ONE_PROCESS}
distributed.algorithms.model_averaging.averagers: {_ONE_PROCESS}
  ModelAverager PeriodicModelAverager
distributed.checkpoint: {_ONE_PROCESS}
  FileSystemReader FileSystemWriter save load DefaultLoadPlanner DefaultSavePlanner
distributed.checkpoint.state_dict: {_ONE_PROCESS}
  StateDictOptions get_model_state_dict get_state_dict set_model_state_dict set_state_dict get_optimizer_state_dict
  set_optimizer_state_dict
distributed.checkpoint.stateful: {_ONE_PROCESS}
  Stateful
distributed.constants: {_ONE_PROCESS}
  default_pg_timeout
distributed.device_mesh: {_ONE_PROCESS}
  DeviceMesh init_device_mesh
distributed.distributed_c10d: {_ONE_PROCESS}
  ProcessGroup ReduceOp Work _get_default_group _get_default_store default_pg_timeout Store _rank_not_in_group
distributed.elastic: {_ONE_PROCESS}
distributed.elastic.multiprocessing: {_ONE_PROCESS}
  Std
distributed.elastic.multiprocessing.errors: {_ONE_PROCESS}
  record@ ChildFailedError
distributed.fsdp: {_ONE_PROCESS}
  FullyShardedDataParallel MixedPrecision CPUOffload ShardingStrategy BackwardPrefetch StateDictType
  FullStateDictConfig FullOptimStateDictConfig ShardedStateDictConfig ShardedOptimStateDictConfig
  LocalStateDictConfig FSDPModule fully_shard MixedPrecisionPolicy CPUOffloadPolicy OffloadPolicy FlatParameter
distributed.fsdp.fully_sharded_data_parallel: {_ONE_PROCESS}
  FullyShardedDataParallel ShardingStrategy MixedPrecision CPUOffload BackwardPrefetch FlatParameter StateDictType
  FullStateDictConfig
distributed.fsdp.sharded_grad_scaler: {_TRAINING}
  ShardedGradScaler
distributed.fsdp.wrap: {_ONE_PROCESS}
  ModuleWrapPolicy transformer_auto_wrap_policy size_based_auto_wrap_policy enable_wrap wrap lambda_auto_wrap_policy
  _Policy _or_policy CustomPolicy
distributed.optim: {_TRAINING}
  ZeroRedundancyOptimizer PostLocalSGDOptimizer
distributed.pipelining: {_ONE_PROCESS}
  SplitPoint pipeline PipelineStage ScheduleGPipe
distributed.rpc: {_ONE_PROCESS}
  RRef is_available=False
distributed.tensor: {_ONE_PROCESS}
  DTensor DeviceMesh Replicate Shard Partial Placement distribute_tensor distribute_module init_device_mesh
distributed.tensor.device_mesh: {_ONE_PROCESS}
  DeviceMesh init_device_mesh
distributed.tensor.experimental: {_ONE_PROCESS}
  context_parallel implicit_replication
distributed.tensor.parallel: {_ONE_PROCESS}
  ColwiseParallel RowwiseParallel SequenceParallel PrepareModuleInput PrepareModuleOutput ParallelStyle
  parallelize_module loss_parallel
distributed.tensor.placement_types: {_ONE_PROCESS}
  Placement Shard Replicate Partial
distributions: write the sampling with rand and randn, and the densities with their formulas
  LogisticNormal Distribution Normal Categorical Bernoulli Uniform Beta Gamma MultivariateNormal Independent
  TransformedDistribution
  LogNormal Laplace Poisson Exponential Dirichlet Cauchy StudentT Binomial Multinomial OneHotCategorical
  RelaxedBernoulli RelaxedOneHotCategorical kl_divergence register_kl@ constraints transforms biject_to transform_to
  ExponentialFamily HalfNormal HalfCauchy Chi2 Gumbel Weibull VonMises MixtureSameFamily Wishart LKJCholesky
  LowRankMultivariateNormal NegativeBinomial Pareto Geometric FisherSnedecor ContinuousBernoulli Kumaraswamy
export: save a .tsm file; tsm.export(method) marks a method that a scripted module shall have
  export Dim ExportedProgram save load unflatten register_dataclass@ default_decompositions ExportGraphSignature
export.exported_program: save a .tsm file
  ExportedProgram
distributions.constraints: write the checks
  Constraint real real_vector positive nonnegative unit_interval simplex boolean integer_interval interval dependent
  dependent_property@ independent lower_cholesky positive_definite nonnegative_integer greater_than less_than stack
  cat
  half_open_interval corr_cholesky lower_triangular positive_integer symmetric is_dependent=False square one_hot
distributions.bernoulli: write the formulas
  Bernoulli
distributions.beta: write the formulas
  Beta
distributions.categorical: write the formulas
  Categorical
distributions.gamma: write the formulas
  Gamma
distributions.independent: write the formulas
  Independent
distributions.laplace: write the formulas
  Laplace
distributions.uniform: write the formulas
  Uniform
distributions.dirichlet: write the formulas
  Dirichlet
distributions.exp_family: write the formulas
  ExponentialFamily
distributions.transformed_distribution: write the formulas
  TransformedDistribution
distributions.half_cauchy: write the formulas
  HalfCauchy
distributions.half_normal: write the formulas
  HalfNormal
distributions.log_normal: write the formulas
  LogNormal
distributions.poisson: write the formulas
  Poisson
distributions.studentT: write the formulas
  StudentT
distributions.kl: write the formula
  register_kl@ kl_divergence _KL_REGISTRY
distributions.transforms: write the formulas
  Transform AffineTransform ExpTransform SigmoidTransform TanhTransform ComposeTransform
distributions.utils: write the formulas
  broadcast_all lazy_property@ logits_to_probs probs_to_logits _standard_normal clamp_probs
distributions.distribution: write the formulas
  Distribution
distributions.normal: write the formulas
  Normal
distributions.multivariate_normal: write the formulas
  MultivariateNormal _batch_mahalanobis _batch_mv
fft: {_COMPLEX}
  fft ifft rfft irfft fft2 ifft2 rfft2 irfft2 fftn ifftn rfftn irfftn hfft ihfft fftfreq rfftfreq fftshift ifftshift
func: {_TRAINING}
  vmap grad grad_and_value vjp jvp jacrev jacfwd hessian functional_call functionalize stack_module_state
futures: tsm.jit.fork runs at once
  Future collect_all wait_all
fx: {_GRAPHS}
  Graph GraphModule Node Proxy Tracer Interpreter Transformer symbolic_trace wrap@ replace_pattern
fx._compatibility: {_GRAPHS}
  compatibility@
fx.experimental: {_GRAPHS}
fx.experimental.proxy_tensor: {_GRAPHS}
  make_fx ProxyTorchDispatchMode
fx.experimental.symbolic_shapes: {_GRAPHS}
  ShapeEnv guard_size_oblivious is_symbolic
fx.graph: {_GRAPHS}
  Graph CodeGen
fx.graph_module: {_GRAPHS}
  GraphModule
fx.interpreter: {_GRAPHS}
  Interpreter Transformer
fx.node: {_GRAPHS}
  Node Argument Target map_arg map_aggregate
fx.passes: {_GRAPHS}
fx.passes.shape_prop: {_GRAPHS}
  ShapeProp
fx.proxy: {_GRAPHS}
  Proxy TraceError
hub: pass files to tsm.load, or weights to load_state_dict
  load load_state_dict_from_url download_url_to_file HASH_REGEX set_dir
jit: docs/moving-from-torchscript.md lists the names of torch.jit
  TracedModule TopLevelTracedModule RecursiveScriptClass ScriptWarning ONNXTracedModule
jit._recursive: tsm.script compiles
  wrap_cpp_module
jit._script: tsm.script compiles
  RecursiveScriptModule ScriptModule
jit.annotations: write List[int]
  BroadcastingList1 BroadcastingList2 BroadcastingList3 Future
jit.frontend: tsm.script compiles
  get_jit_def
jit.mobile: a .tsm file runs on any device
jit._trace: tsm.trace traces
  TracerWarning
library: an operator of a program's own is a function: call it
  fallthrough_kernel get_ctx infer_schema opcheck wrap_triton
masked: write where(mask, x, y)
  MaskedTensor masked_tensor
monitor: take the time around calls
  Event log_event
mps: {_ONE_DEVICE}
  is_available=False device_count=0
mtia: {_ONE_DEVICE}
  is_available=False device_count=0
multiprocessing: use Python's multiprocessing; a scripted module pickles
  Manager Process Queue Pool spawn get_context set_start_method get_start_method Event SimpleQueue
  set_sharing_strategy
  current_process ProcessContext start_processes ProcessRaisedException
multiprocessing.reductions: use Python's multiprocessing
  reduce_tensor
multiprocessing.spawn: use Python's multiprocessing
  ProcessExitedException ProcessRaisedException
nested: nn.utils.rnn packs sequences of different lengths
  nested_tensor as_nested_tensor to_padded_tensor
nn: docs/ops.md and tsm.nn list what there is
  SyncBatchNorm DataParallel LazyLinear LazyConv1d LazyConv2d LazyConv3d LazyConvTranspose1d LazyConvTranspose2d
  LazyConvTranspose3d LazyBatchNorm1d LazyBatchNorm2d LazyBatchNorm3d LazyInstanceNorm1d LazyInstanceNorm2d
  LazyInstanceNorm3d UninitializedParameter UninitializedBuffer AdaptiveLogSoftmaxWithLoss CrossMapLRN2d
  FractionalMaxPool2d FractionalMaxPool3d LPPool3d MaxUnpool3d FeatureAlphaDropout TripletMarginWithDistanceLoss
nn.attention.bias: pass attn_mask to scaled_dot_product_attention
  causal_lower_right causal_upper_left CausalBias
nn.attention.flex_attention: write the scores and their mask with softmax
  flex_attention create_block_mask BlockMask create_mask and_masks or_masks create_nested_block_mask noop_mask
  _DEFAULT_SPARSE_BLOCK_SIZE:128 _mask_mod_signature _score_mod_signature AuxRequest
nn.grad: {_TRAINING}
nn.intrinsic: {_QUANTISED}
nn.parallel: {_ONE_PROCESS}
  DistributedDataParallel DataParallel parallel_apply replicate scatter gather
nn.parallel._functions: {_ONE_PROCESS}
  Gather Broadcast
nn.parallel.data_parallel: {_ONE_PROCESS}
  DataParallel data_parallel
nn.parallel.distributed: {_ONE_PROCESS}
  DistributedDataParallel
nn.parallel.parallel_apply: {_ONE_PROCESS}
  parallel_apply
nn.parallel.replicate: {_ONE_PROCESS}
  replicate
nn.parallel.scatter_gather: {_ONE_PROCESS}
  scatter gather scatter_kwargs
nn.quantized: {_QUANTISED}
  Linear Conv2d FloatFunctional
nn.utils: sequences are in nn.utils.rnn; weight_norm and spectral_norm compute weights
  clip_grad_norm_ clip_grad_value_ clip_grad_norm get_total_norm clip_grads_with_norm_ fuse_conv_bn_eval
  fuse_linear_bn_eval
nn.utils.parametrizations: nn.utils.spectral_norm and nn.utils.parametrizations.weight_norm compute a weight
  spectral_norm orthogonal
nn.utils.parametrize: nn.utils.parametrizations.weight_norm computes a weight
  register_parametrization ParametrizationList cached
nn.utils.prune: set weights to 0 with a mask
  BasePruningMethod l1_unstructured random_unstructured ln_structured global_unstructured remove is_pruned identity
nn.utils.stateless: {_TRAINING}
  functional_call
nn.utils.clip_grad: {_TRAINING}
  clip_grad_norm_ clip_grad_value_ clip_grad_norm
onnx: save a .tsm file, which libtsm runs without Python
  export is_in_onnx_export=False OperatorExportTypes TrainingMode register_custom_op_symbolic=None ExportOptions
onnx.operators: save a .tsm file
  shape_as_tensor reshape_from_tensor_shape
onnx.symbolic_helper: save a .tsm file
  parse_args@ _get_tensor_sizes quantized_args@
onnx.symbolic_opset9: save a .tsm file
onnx.symbolic_opset11: save a .tsm file
onnx.utils: save a .tsm file
optim: {_TRAINING}
  Optimizer Adam AdamW SGD RMSprop Adagrad Adadelta Adamax NAdam RAdam LBFGS Rprop ASGD SparseAdam Adafactor Muon
optim.adam: {_TRAINING}
  Adam adam
optim.adamw: {_TRAINING}
  AdamW adamw
optim.lr_scheduler: {_TRAINING}
  LRScheduler _LRScheduler LambdaLR MultiplicativeLR StepLR MultiStepLR ExponentialLR CosineAnnealingLR
  CosineAnnealingWarmRestarts ReduceLROnPlateau CyclicLR OneCycleLR ConstantLR LinearLR PolynomialLR SequentialLR
  ChainedScheduler
optim.optimizer: {_TRAINING}
  Optimizer required ParamsT _use_grad_for_differentiable@ _params_doc
optim.sgd: {_TRAINING}
  SGD sgd
optim.swa_utils: {_TRAINING}
  AveragedModel SWALR update_bn get_ema_multi_avg_fn get_ema_avg_fn get_swa_avg_fn
overrides: {_HOOKS}
  TorchFunctionMode handle_torch_function has_torch_function=False has_torch_function_unary=False
  has_torch_function_variadic=False is_tensor_like get_ignored_functions get_overridable_functions resolve_name
package: tsm.save writes a .tsm file that needs no source
  PackageExporter PackageImporter
profiler: take the time around calls; TSM_TIME shows compilation
  kineto_available=False supported_activities=None profile EventList ProfilerAction ProfilerActivity schedule
  tensorboard_trace_handler itt emit_nvtx
quantization: {_QUANTISED}
  QuantStub DeQuantStub quantize_dynamic prepare convert get_default_qconfig fuse_modules
serialization: pass weights as a .safetensors file, or a state_dict to load_state_dict
  DEFAULT_PROTOCOL:2 add_safe_globals@ safe_globals@ clear_safe_globals@ default_restore_location location_tag
  normalize_storage_type
  register_package@ SourceChangeWarning FILE_LIKE MAP_LOCATION get_default_load_endianness LoadEndianness
signal: window functions are at the top of tsm: hann_window and its kin
signal.windows: window functions are at the top of tsm: hann_window and its kin
  hann hamming blackman kaiser gaussian
sparse: {_SPARSE}
  mm sum softmax log_softmax addmm spdiags
testing: compare with tsm.allclose
  assert_close assert_allclose make_tensor
testing._internal: compare with tsm.allclose
utils: see docs/moving-from-torchscript.md for what there is of torch
  ThroughputBenchmark generate_methods_for_privateuse1_backend rename_privateuse1_backend
utils._contextlib: write tsm.no_grad
  _DecoratorContextManager _NoParamDecoratorContextManager
utils._mode_utils: {_HOOKS}
  no_dispatch
utils._python_dispatch: {_HOOKS}
  TorchDispatchMode is_traceable_wrapper_subclass=False _disable_current_modes
utils._pytree: walk lists, tuples and dicts in Python
  register_pytree_node@ _register_pytree_node@ register_dataclass@ register_constant@ tree_map tree_flatten
  tree_unflatten tree_leaves TreeSpec Context PyTree MappingKey KeyEntry SequenceKey GetAttrKey tree_map_only
  _get_node_type FlattenFunc UnflattenFunc DumpableContext SUPPORTED_NODES _dict_flatten_with_keys _dict_flatten
  _dict_unflatten _list_flatten _broadcast_to_and_flatten tree_structure LeafSpec tree_any tree_all tree_map_
utils._triton: {_ONE_DEVICE}
  has_triton=False has_triton_package=False
utils.backend_registration: {_ONE_DEVICE}
utils.benchmark: use timeit
  Timer Measurement Compare
utils.bottleneck: use cProfile
utils.collect_env: print tsm.version()
  get_pretty_env_info
utils.cpp_extension: register host functions with libtsm, or keep Python in a function marked @tsm.jit.ignore
  load load_inline CppExtension CUDAExtension BuildExtension CUDA_HOME include_paths
utils.data: iterate in Python, and give tsm.stack of the samples
  Dataset IterableDataset TensorDataset ConcatDataset ChainDataset Subset DataLoader Sampler RandomSampler
  SequentialSampler BatchSampler SubsetRandomSampler WeightedRandomSampler random_split get_worker_info=None
  default_collate default_convert MapDataPipe IterDataPipe StackDataset DistributedSampler
utils.data._utils: iterate in Python
utils.data._utils.collate: iterate in Python
  default_collate default_convert np_str_obj_array_pattern default_collate_err_msg_format collate
  default_collate_fn_map
utils.data._utils.pin_memory: {_ONE_DEVICE}
  pin_memory
utils.data._utils.worker: iterate in Python
  _IterableDatasetStopIteration _generate_state
utils.data._utils.fetch: iterate in Python
  _IterableDatasetFetcher _MapDatasetFetcher _BaseDatasetFetcher
utils.data.dataloader: iterate in Python
  _collate_fn_t T_co _worker_init_fn_t DataLoader default_collate _SingleProcessDataLoaderIter _BaseDataLoaderIter
  _MultiProcessingDataLoaderIter
  _InfiniteConstantSampler _DatasetKind
utils.data.dataset: iterate in Python
  Dataset IterableDataset Subset random_split TensorDataset ConcatDataset ChainDataset
utils.data.datapipes: iterate in Python
utils.data.datapipes.iter: iterate in Python
  IterableWrapper
utils.data.distributed: {_ONE_PROCESS}
  DistributedSampler
utils.data.sampler: iterate in Python
  Sampler BatchSampler RandomSampler SequentialSampler SubsetRandomSampler WeightedRandomSampler
utils.flop_counter: tsm.explain names the operators
  FlopCounterMode
utils.hooks: register hooks on modules
  RemovableHandle unserializable_hook@ BackwardHook
utils.mobile_optimizer: a .tsm file runs on any device
  optimize_for_mobile
utils.model_zoo: pass files to tsm.load, or weights to load_state_dict
  load_url tqdm
utils.tensorboard: write numbers with item()
  SummaryWriter
utils.tensorboard.writer: write numbers with item()
  SummaryWriter
utils.viz: docs/speed.md says how to measure memory
utils.weak: use weakref
  WeakIdKeyDictionary WeakTensorKeyDictionary WeakIdRef
xpu: {_ONE_DEVICE}
  is_available=False device_count=0 is_initialized=False Stream
_C: {_GRAPHS}
  DispatchKey DispatchKeySet=0 _ExcludeDispatchKeyGuard Generator ScriptObject ScriptModule Graph Value Node Block
  Type TensorType ListType OptionalType _functorch
  DisableTorchFunction DisableTorchFunctionSubclass _TensorMeta _VariableFunctions _disabled_torch_function_impl
  _disable_torch_function_impl
  _log_api_usage_once=None _get_tracing_state=None _distributed_c10d FileCheck parse_ir parse_schema
_C._distributed_c10d: {_ONE_PROCESS}
  ProcessGroup Store
_C._functorch: {_TRAINING}
  is_batchedtensor=False get_unwrapped TransformType is_functorch_wrapped_tensor=False maybe_get_level
_custom_ops: an operator of a program's own is a function: call it
  impl_abstract@ custom_op@ impl@
_tensor: tensors print themselves
  _convert
_tensor_str: tensors print themselves
  PRINT_OPTS _tensor_str _add_suffixes
_dynamo: tsm.script compiles
  disable@ allow_in_graph@ mark_dynamic mark_static_address is_compiling=False reset=None OptimizedModule explain
  assume_constant_result@ graph_break=None optimize@ is_dynamo_supported=False maybe_mark_dynamic external_utils
_dynamo.utils: tsm.script compiles
  is_compile_supported=False counters
_dynamo.config: tsm.script compiles
_dynamo.decorators: tsm.script compiles
  mark_static_address allow_in_graph@ disable@
_dynamo.eval_frame: tsm.script compiles
  OptimizedModule
_dynamo.external_utils: tsm.script compiles
  is_compiling=False
_inductor: tsm.script compiles
_inductor.config: tsm.script compiles
_ops: {_GRAPHS}
  OpOverload OpOverloadPacket HigherOrderOperator
_prims_common: {_GRAPHS}
  DeviceLikeType NumberType
_subclasses: {_HOOKS}
  FakeTensor FakeTensorMode
_subclasses.fake_tensor: {_HOOKS}
  FakeTensor FakeTensorMode is_fake=False
_utils: tsm.tensor makes tensors
  ExceptionWrapper _get_device_index _flatten_dense_tensors _unflatten_dense_tensors _rebuild_tensor_v2
  _rebuild_parameter _rebuild_tensor _get_all_device_indices _get_available_device_type=None
_weights_only_unpickler: weights are read from .safetensors files
  _get_allowed_globals
"""


def _parsed(text: str) -> dict[str, Absent]:
    found: dict[str, Absent] = {}
    names: dict[str, str] = {}
    for line in text.strip("\n").split("\n"):
        if line.startswith("  "):
            for word in line.split():
                name = word.rstrip("@").partition("=")[0].partition(":")[0]
                names[name] = word[len(name) :]
        else:
            module, _, hint = line.partition(": ")
            names = {}
            found[module.rstrip(":")] = Absent(hint, names)
    return found


MODULES = _parsed(_TABLE)

_GROUPS: dict[tuple[str, str], str] = {
    ("", _COMPLEX): "stft istft view_as_real view_as_complex polar imag view_as_real_copy view_as_complex_copy fft",
    ("", _SPARSE): "sparse_coo_tensor sparse_csr_tensor sparse_csc_tensor sparse_bsr_tensor sparse_bsc_tensor smm spmm"
    " sspaddmm hspmm dsmm saddmm sparse_compressed_tensor sparse",
    ("", _QUANTISED): "quantize_per_tensor quantize_per_channel quantize_per_tensor_dynamic dequantize int_repr q_scale"
    " q_zero_point fake_quantize_per_tensor_affine fake_quantize_per_channel_affine quantized_lstm quantized_gru",
    ("", "nn.RNN, nn.LSTM, nn.GRU and their cells compute it"): "lstm gru rnn_tanh rnn_relu lstm_cell gru_cell"
    " rnn_tanh_cell rnn_relu_cell",
    ("", "it is in tsm.nn.functional"): "adaptive_max_pool1d batch_norm binary_cross_entropy_with_logits embedding_bag"
    " instance_norm kl_div hinge_embedding_loss margin_ranking_loss poisson_nll_loss triplet_margin_loss"
    " cosine_embedding_loss max_pool3d",
    ("", "write tsm.linalg"): "lu lu_unpack lstsq solve eig symeig matrix_rank lobpcg svd_lowrank pca_lowrank geqrf"
    " orgqr ormqr nuclear_norm frobenius_norm native_norm",
    ("", "write a loop, or index with tensors"): "vmap cond while_loop",
    ("", _TRAINING): "func",
    ("", "write tsm.script(f)"): "compile",
    ("", "write nn.functional.dropout"): "feature_dropout feature_alpha_dropout native_dropout dropout_",
    ("", "write arange(start, end + 1)"): "range",
    ("", "dtypes are attributes of tsm: tsm.float32"): "typename float4_e2m1fn_x2 bits8 bits16 int1 int2 int3 int4"
    " uint1 uint2 uint3 uint4",
    ("", "write fork and wait of tsm.jit"): "fork wait",
    ("nn", _LAZY): "LazyLinear LazyConv1d LazyConv2d LazyConv3d LazyBatchNorm1d LazyBatchNorm2d LazyBatchNorm3d"
    " LazyConvTranspose1d LazyConvTranspose2d LazyConvTranspose3d LazyInstanceNorm1d LazyInstanceNorm2d"
    " LazyInstanceNorm3d UninitializedParameter UninitializedBuffer",
    ("nn", _ONE_PROCESS): "SyncBatchNorm DataParallel parallel",
    ("nn.functional", "write interpolate"): "upsample upsample_bilinear upsample_nearest",
    ("nn.functional", "write max_pool2d or max_pool1d"): "fractional_max_pool2d fractional_max_pool3d"
    " max_pool1d_with_indices max_pool2d_with_indices max_pool3d_with_indices max_unpool3d lp_pool3d",
    ("nn.functional", _TRAINING): "grad",
    ("nn.functional", _HOOKS): "handle_torch_function has_torch_function has_torch_function_unary",
    ("nn.utils", _TRAINING): "clip_grad_norm_ clip_grad_value_ clip_grad_norm get_total_norm clip_grads_with_norm_",
    ("nn.utils", "tsm.freeze folds batch norms"): "fuse_conv_bn_eval fuse_linear_bn_eval fuse_conv_bn_weights"
    " fuse_linear_bn_weights",
    ("linalg", _COMPLEX): "eig eigvals",
    ("autograd", _TRAINING): "backward grad gradcheck gradgradcheck detect_anomaly set_detect_anomaly",
    ("jit", "tsm.load reads a .tsm file from memory, too"): "jit_module_from_flatbuffer",
}
HINTS = {(module, name): hint for (module, hint), names in _GROUPS.items() for name in names.split()}
